import { sql } from "kysely";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import { accountSummary } from "#server/features/accounts/summary.queries.ts";
import { visibleAccount } from "#server/features/accounts/visibility.queries.ts";
import { isFollowing } from "#server/features/follows/follows.queries.ts";
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
        'website', a.website,
        'counts', json_build_object(
          'posts', c.posts, 'followers', c.followers, 'following', c.following
        ),
        'following', ${isFollowing(viewerId, sql`a.id`)},
        'followsViewer', coalesce((
          select true from follows
          where follower_id = a.id and ${probe("followee_id", viewerId)}
        ), false),
        'isViewer', coalesce(a.id = ${viewerId}::uuid, false)
      ) as item
      from accounts a
      join account_counters c on c.account_id = a.id
      where a.id = ${accountId} and ${visibleAccount("a")}
    `.compile(db.kysely),
  );
  return row?.item ?? null;
}

/** Primary key of accounts. */
export async function setBio(db: Database, accountId: string, bio: string): Promise<void> {
  await db.kysely
    .updateTable("accounts")
    .set({ bio, updated_at: sql<Date>`now()` })
    .where("id", "=", accountId)
    .execute();
}
