// Exports and imports of an account.
export { createDeviceImports } from "#server/features/archive/device-imports.ts";
export { createExports } from "#server/features/archive/exports.ts";
export { createImports } from "#server/features/archive/imports.ts";
