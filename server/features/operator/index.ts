// What the operator sets, and who may join.
export { createInvitations, type Invitations } from "#server/features/operator/invitations.ts";
export {
  checked,
  createOperatorSettings,
  type ExploreMode,
  type OperatorSettings,
  roomInWords,
  type SettingName,
} from "#server/features/operator/operator-settings.ts";
export { createPlace, type Place } from "#server/features/operator/place.ts";
export { createUsage } from "#server/features/operator/usage.ts";
