/**
 * What a link can show. A new kind is a name here, its words in app/features/links/kinds.ts, its posts in
 * server/features/links/kinds.queries.ts, and a migration for the column's check.
 */
export const linkKinds = ["post", "profile", "album"] as const;
export type LinkKind = (typeof linkKinds)[number];

/** How long a link opens: its name in forms and calls, and days; null: until its maker ends it. */
export const linkDays = { day: 1, week: 7, month: 30, year: 365, never: null } as const;
export const linkLifetimes = ["day", "week", "month", "year", "date", "never"] as const;
export type LinkLifetime = (typeof linkLifetimes)[number];
