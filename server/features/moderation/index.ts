// What members report, and what moderators decide about it.
export { createModeration, type Moderation } from "#server/features/moderation/moderation.ts";
export {
  addLogEntry,
  endSuspensions,
  type LogAct,
} from "#server/features/moderation/moderation.queries.ts";
export { createReports } from "#server/features/moderation/reports.ts";
