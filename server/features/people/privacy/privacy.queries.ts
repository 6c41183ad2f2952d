import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleAccount } from "#server/features/people/accounts/visibility.queries.ts";

/** `posts` are those for everyone. Primary keys. */
export type Privacy = { isPrivate: boolean; posts: number; followers: number };

export const readPrivacy = (db: Database, accountId: string) =>
  db.first<Privacy>(sql.named("privacy.get")`
    select a.private_at is not null as "isPrivate", c.followers,
      (c.posts - coalesce((
        select sum(posts) from narrow_posts where author_id = a.id
      ), 0))::integer as posts
    from accounts a
    join account_counters c on c.account_id = a.id
    where a.id = ${accountId} and ${visibleAccount("a")}
  `);

/** Private since now, or since it was; false when the account is gone. */
export const writePrivate = (db: Database, accountId: string, isPrivate: boolean) =>
  db.any(sql`
    update accounts
    set private_at = ${isPrivate ? sql`coalesce(private_at, now())` : sql`null`}, updated_at = now()
    where id = ${accountId}
    returning id
  `);
