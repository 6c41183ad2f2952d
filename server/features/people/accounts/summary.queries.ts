import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import type { AccountSummary } from "#shared/views.ts";

/**
 * A row of `images` as the ImageView that screens take, built by PostgreSQL. `images` is the
 * table's name in the query, `alt` the expression of its alt text, `more` further fields. Avatars
 * are in each post and comment: what they do not need is left out there.
 */
export function imageView(images: string, alt: Sql = sql`''`, more: Sql = sql``): Sql {
  const column = (name: string) => sql.ref(`${images}.${name}`);
  // encode() breaks its lines after 76 characters
  return sql`json_build_object(
    'key', ${column("key")},
    'width', ${column("width")},
    'height', ${column("height")},
    'widths', ${column("widths")},
    'thumbhash', replace(encode(${column("thumbhash")}, 'base64'), chr(10), ''),
    'focus', ${column("focus")},
    'moving', ${column("moving_width")} is not null,
    'alt', ${alt}${more}
  )`;
}

/**
 * The focus point that somebody set in an image, right and up from its middle; null where nobody
 * did.
 */
export function focalPoint(images: string): Sql {
  const column = (name: string) => sql.ref(`${images}.${name}`);
  return sql`case when ${column("focal_x")} is not null
    then json_build_array(${column("focal_x")}, ${column("focal_y")}) end`;
}

/**
 * A row of `accounts` as the AccountSummary that screens take, with its avatar (found by the
 * primary key of images). `accounts` is the table's name in the query. The query checks with
 * `visibleTo` whether the account may be seen.
 */
export function accountSummary(accounts = "accounts"): Sql {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql`json_build_object(
    'id', ${column("id")},
    'username', ${column("username")},
    'name', coalesce(nullif(${column("full_name")}, ''), ${column("username")}),
    'avatar', (
      select ${imageView("avatar")} from images avatar
      where avatar.account_id = ${column("id")} and avatar.id = ${column("avatar_image_id")}
    )
  )`;
}

/**
 * The summaries of the accounts among `ids` that the viewer may see, by id: the second step of a list whose rows
 * belong to another owner, in one round trip whatever their number.
 */
export async function summariesOf(db: Database, viewerId: string | null, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, AccountSummary>();
  const rows = await db.query<{ account: AccountSummary }>(sql.named("accounts.summaries")`
    select ${accountSummary("a")} as account from accounts a
    where a.id = any(${ids}::uuid[]) and ${visibleTo(viewerId, "a")}
  `);
  return new Map(rows.map(({ account }) => [account.id, account]));
}
