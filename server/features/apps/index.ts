// Apps of other people that members let in: registrations, codes and tokens.
export { createApps, type AppCaller, type AppView } from "#server/features/apps/apps.ts";
