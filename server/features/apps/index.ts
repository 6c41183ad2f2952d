// Apps of other people that members authorize: registrations, codes and tokens.
export { accountOfApp } from "#server/features/apps/apps.queries.ts";
export { createApps } from "#server/features/apps/apps.ts";
export type { AppCaller } from "#server/features/apps/callers.ts";
export type { AppView } from "#server/features/apps/registrations.ts";
