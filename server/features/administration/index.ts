// What the rest of the server may use of administration. What operators do to accounts and settings.
export type {
  AccountDetails,
  AdministeredAccount,
} from "#server/features/administration/administration.queries.ts";
export { createAdministration } from "#server/features/administration/administration.ts";
export { pictureTables } from "#server/features/administration/check-pictures.queries.ts";
export {
  checkPictures,
  type Fault,
  type Place,
} from "#server/features/administration/check-pictures.ts";
