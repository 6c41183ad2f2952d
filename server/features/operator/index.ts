// The operator's settings, and who may join.
export { createFirstDay } from "#server/features/operator/first-day.ts";
export { createInvitations, type Invitations } from "#server/features/operator/invitations.ts";
export {
  settingValue,
  createOperatorSettings,
  type ExploreMode,
  type OperatorSettings,
  formatQuota,
  type SettingName,
} from "#server/features/operator/operator-settings.ts";
export { createSite, type Site } from "#server/features/operator/site.ts";
export { createUsage } from "#server/features/operator/usage.ts";
