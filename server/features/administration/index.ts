// What operators do to accounts and pictures.
export type {
  AccountDetails,
  AdministeredAccount,
} from "#server/features/administration/administration.queries.ts";
export { createDoctorPass } from "#server/features/administration/doctor-pass.ts";
export { createAdministration } from "#server/features/administration/administration.ts";
export { movePictures, type Moved } from "#server/features/administration/move-pictures.ts";
export {
  namesPicture,
  pictureTables,
  type PictureTable,
} from "#server/features/administration/check-pictures.queries.ts";
export {
  checkPictures,
  checkSomePictures,
  type Fault,
  type Place,
} from "#server/features/administration/check-pictures.ts";
export { createDesk } from "#server/features/administration/desk.ts";
export {
  createTroubles,
  type Look,
  type Troubles,
} from "#server/features/administration/troubles.ts";
export { createFirstOperator } from "#server/features/administration/first-operator.ts";
