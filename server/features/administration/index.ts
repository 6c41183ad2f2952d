// What operators do to accounts and pictures.
export type {
  AccountDetails,
  AdministeredAccount,
} from "#server/features/administration/administration.queries.ts";
export { createAdministration } from "#server/features/administration/administration.ts";
export { movePictures, type Moved } from "#server/features/administration/move-pictures.ts";
export { pictureTables } from "#server/features/administration/check-pictures.queries.ts";
export {
  checkPictures,
  type Fault,
  type Place,
} from "#server/features/administration/check-pictures.ts";
