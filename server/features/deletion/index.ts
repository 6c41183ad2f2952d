// The end of an account.
export { createDeletion } from "#server/features/deletion/deletion.ts";
