// What operators do with accounts and images.
export type {
  AccountDetails,
  AdministeredAccount,
} from "#server/features/administration/administration.queries.ts";
export {
  accountsAhead,
  operators,
  sumStorage,
  type Stored,
} from "#server/features/administration/administration.queries.ts";
export { createAdministration } from "#server/features/administration/administration.ts";
export { moveImages, type Moved } from "#server/features/administration/move-images.ts";
export {
  imageTableNames,
  sampleImageKeys,
} from "#server/features/administration/check-images.queries.ts";
export {
  checkImages,
  checkSomeImages,
  type Fault,
  type CheckPosition,
} from "#server/features/administration/check-images.ts";
export { createDashboard } from "#server/features/administration/dashboard.ts";
export { createFirstOperator } from "#server/features/administration/first-operator.ts";
