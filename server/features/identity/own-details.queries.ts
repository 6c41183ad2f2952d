import { sql, type Sql } from "#server/platform/db/sql.ts";
import { mutedWordsBy } from "#server/features/people/index.ts";
import type { AccountSummary, Viewer } from "#shared/views.ts";

/** What a member's requests have of them besides what everybody sees. */
export type OwnDetails = Omit<Viewer, keyof AccountSummary | "sessionId">;

/** As one value of a row `a` of accounts. `roles`: keys and values for what the member may do. */
export const ownDetails = (roles: Sql): Sql => sql`json_strip_nulls(json_build_object(
  'email', a.email_as_typed,
  'emailVerified', a.email_verified,
  'firstName', a.first_name,
  'secondName', a.second_name,
  'showVeiled', nullif(a.show_veiled, false),
  'language', a.language,
  'postingLanguage', a.posting_language,
  'mutedWords', ${mutedWordsBy(sql.ref("a.id"))},
  ${roles}
))`;
