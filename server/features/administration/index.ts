// What operators do with accounts and images.
export type {
  AccountDetails,
  AdministeredAccount,
} from "#server/features/administration/administration.queries.ts";
export { createDoctorPass } from "#server/features/administration/doctor-pass.ts";
export { createAdministration } from "#server/features/administration/administration.ts";
export { moveImages, type Moved } from "#server/features/administration/move-images.ts";
export {
  isImageNamed,
  imageTables,
  type ImageTable,
} from "#server/features/administration/check-images.queries.ts";
export {
  checkImages,
  checkSomeImages,
  type Fault,
  type CheckPosition,
} from "#server/features/administration/check-images.ts";
export { createDashboard } from "#server/features/administration/dashboard.ts";
export {
  createTroubles,
  type TroubleReport,
  type Troubles,
} from "#server/features/administration/troubles.ts";
export { createFirstOperator } from "#server/features/administration/first-operator.ts";
