// What the rest of the server may use of archive. Exports and imports of an account.
export { createExports } from "#server/features/archive/exports.ts";
export { createImports } from "#server/features/archive/imports.ts";
