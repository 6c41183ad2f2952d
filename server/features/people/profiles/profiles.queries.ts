import type { Updateable } from "kysely";
import { sql } from "#server/db/sql.ts";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import type { Tables } from "#server/db/types.ts";
import { emailCounts } from "#server/features/people/accounts/address.queries.ts";
import { peopleNamedIn } from "#server/features/people/accounts/mentions.queries.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { visibleAccount, visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { isFollowing } from "#server/features/people/follows/lists.queries.ts";
import type { ProfileView } from "#shared/views.ts";

/** Everything above the tabs of a profile. Primary keys only. */
export async function findProfile(
  db: Database,
  viewerId: string | null,
  accountId: string,
): Promise<ProfileView | null> {
  const [row] = await db.prepared<{ item: ProfileView }>(
    "profiles.get",
    sql`
      select json_build_object(
        'account', ${accountSummary("a")},
        'bio', a.bio,
        'mentions', ${peopleNamedIn("a.bio", viewerId)},
        'website', a.website,
        'email', case when a.show_email and ${emailCounts(db, "a")} then a.email_as_typed end,
        'counts', json_build_object(
          'posts', c.posts, 'photos', c.photos, 'followers', c.followers, 'following', c.following
        ),
        'following', ${isFollowing(viewerId, sql`a.id`)},
        'followsViewer', coalesce((
          select true from follows
          where follower_id = a.id and ${probe("followee_id", viewerId)}
        ), false),
        'muted', coalesce((
          select true from mutes
          where mutes.account_id = ${viewerId}::uuid and mutes.muted_id = a.id
        ), false),
        'isViewer', coalesce(a.id = ${viewerId}::uuid, false)
      ) as item
      from accounts a
      join account_counters c on c.account_id = a.id
      where a.id = ${accountId} and ${visibleTo(viewerId, "a")}
    `,
  );
  return row?.item ?? null;
}

/** What an edit keeps or replaces, held until the transaction ends: two edits go one by one. */
export async function lockProfile(db: Database, accountId: string) {
  return db.kysely
    .selectFrom("accounts")
    .select([
      "username",
      "avatar_image_id",
      "first_name",
      "second_name",
      "full_name",
      "search_name",
      "bio",
      "website",
    ])
    .where("id", "=", accountId)
    .where(visibleAccount())
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type ProfileColumns = Pick<
  Updateable<Tables["accounts"]>,
  "first_name" | "second_name" | "full_name" | "search_name" | "bio" | "website" | "avatar_image_id"
>;

export async function writeProfile(
  db: Database,
  accountId: string,
  columns: ProfileColumns,
): Promise<void> {
  await db.kysely
    .updateTable("accounts")
    .set({ ...columns, updated_at: sql`now()` })
    .where("id", "=", accountId)
    .execute();
}

/** Deletes a picture that nothing names any more; the key of its files. Primary key. */
export async function deleteImage(db: Database, accountId: string, id: string): Promise<string[]> {
  const rows = await db.kysely
    .deleteFrom("images")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}
