// What the rest of the server may use of deletion. The end of an account.
export { createDeletion } from "#server/features/deletion/deletion.ts";
