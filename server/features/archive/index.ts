// Exports and imports of an account.
export { createExports } from "#server/features/archive/exports.ts";
export { createImports } from "#server/features/archive/imports.ts";
