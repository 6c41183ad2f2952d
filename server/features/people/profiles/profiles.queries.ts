import { sql } from "#server/db/sql.ts";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
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

type ProfileColumns = {
  avatar_image_id: string | null;
  first_name: string;
  second_name: string;
  full_name: string;
  search_name: string;
  bio: string;
  website: string;
};

/** What an edit keeps or replaces, held until the transaction ends: two edits go one by one. */
export async function lockProfile(db: Database, accountId: string) {
  const [row] = await db.query<ProfileColumns & { username: string }>(sql`
    select a.username, a.avatar_image_id, a.first_name, a.second_name, a.full_name, a.search_name,
      a.bio, a.website
    from accounts a
    where a.id = ${accountId} and ${visibleAccount("a")}
    for no key update
  `);
  return row;
}

export async function writeProfile(
  db: Database,
  accountId: string,
  columns: Partial<ProfileColumns>,
): Promise<void> {
  await db.query(sql`
    update accounts
    set ${sql.set({ ...columns, updated_at: sql`now()` })}
    where id = ${accountId}
  `);
}

/** Deletes a picture that nothing names any more; the key of its files. Primary key. */
export async function deleteImage(db: Database, accountId: string, id: string): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    delete from images
    where account_id = ${accountId} and id = ${id}
    returning key
  `);
  return rows.map(({ key }) => key);
}
