import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { jsonFields, selectFields, setFields } from "#server/platform/db/fields.ts";
import { ms } from "#server/platform/db/times.ts";
import { emailCounts } from "#server/features/people/accounts/address.queries.ts";
import { usernamesIn } from "#server/features/people/accounts/mentions.queries.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { muteLasts } from "#server/features/people/blocks/muted.queries.ts";
import {
  anyAlbumOpenTo,
  isFollowing,
  listsOpenTo,
  visibleAccount,
  visiblePostCounts,
  visibleTo,
} from "#server/features/people/accounts/visibility.queries.ts";
import { noteAbout } from "#server/features/people/notes/notes.queries.ts";
import { hasRequested } from "#server/features/people/follows/lists.queries.ts";
import type { ExtraField } from "#shared/extra-fields.ts";
import { profileFields, shownFieldNames, type ProfileWords } from "#shared/profiles.ts";
import { pick } from "#shared/records.ts";
import type { ProfileView } from "#shared/views.ts";

export const shownFields = pick(profileFields, shownFieldNames);

/** Since when an address of an account's profile is known to lead back. Primary key of verified_links. */
const verifiedAt = (account: string, address: Sql) => sql`(
  select ${ms("v.verified_at")} from verified_links v
  where v.account_id = ${sql.ref(`${account}.id`)} and v.address = ${address}
)`;

/** `'websiteVerifiedAt', …, 'extraFields', …`: what json_build_object makes of a row. */
export function jsonExtras(account: string): Sql {
  const of = (column: string) => sql.ref(`${account}.${column}`);
  return sql`
    'websiteVerifiedAt', ${verifiedAt(account, of("website"))},
    'extraFields', coalesce((
      select json_agg(
        json_build_object(
          'name', field ->> 'name', 'value', field ->> 'value',
          'verifiedAt', ${verifiedAt(account, sql`field ->> 'value'`)}
        ) order by place
      )
      from jsonb_array_elements(${of("extra_fields")}) with ordinality extra (field, place)
    ), '[]'::json)`;
}

/** Everything above the tabs of a profile, and which there are. Primary keys only. */
export const findProfile = (db: Database, viewerId: string | null, accountId: string) =>
  db.value<ProfileView>(sql.named("profiles.get")`
    select json_build_object(
      'account', ${accountSummary("a")},
      ${jsonFields("a", shownFields)},
      ${jsonExtras("a")},
      'mentions', ${usernamesIn("a.bio", viewerId)},
      'email', case when a.show_email and ${emailCounts(db, "a")} then a.email_as_typed end,
      'counts', json_build_object(
        'posts', seen.posts, 'photos', seen.photos, 'followers', c.followers, 'following', c.following
      ),
      'following', ${isFollowing(viewerId, sql`a.id`)},
      'requested', ${hasRequested(viewerId, "a")},
      'followsViewer', ${isFollowing(sql`a.id`, sql`${viewerId}::uuid`)},
      'muted', coalesce((
        select true from mutes
        where mutes.account_id = ${viewerId}::uuid and mutes.muted_id = a.id and ${muteLasts}
      ), false),
      'note', ${noteAbout(viewerId, sql`a.id`)},
      'isPrivate', a.private_at is not null,
      'listsOpen', ${listsOpenTo(viewerId)},
      'hasAlbums', ${anyAlbumOpenTo(viewerId)},
      'isViewer', coalesce(a.id = ${viewerId}::uuid, false)
    ) as item
    from accounts a
    join account_counters c on c.account_id = a.id
    cross join lateral (${visiblePostCounts(viewerId)}) seen
    where a.id = ${accountId} and ${visibleTo(viewerId, "a")}
  `);

/** The texts of a profile, what is made of its names, and its avatar. */
const stored = {
  ...profileFields,
  fullName: { column: "full_name" },
  searchName: { column: "search_name" },
  imageId: { column: "avatar_image_id" },
  extraFields: { column: "extra_fields" },
};
type StoredProfile = ProfileWords & {
  extraFields: ExtraField[];
  fullName: string;
  searchName: string;
  imageId: string | null;
};

/** What an edit keeps or replaces, locked until the transaction ends: two edits go one by one. */
export const lockProfile = (db: Database, accountId: string) =>
  db.first<StoredProfile & { username: string }>(sql`
    select a.username, ${selectFields("a", stored)}
    from accounts a where a.id = ${accountId} and ${visibleAccount("a")}
    for no key update
  `);

/** What is not named stays. */
export async function writeProfile(
  db: Database,
  accountId: string,
  profile: Partial<StoredProfile>,
): Promise<void> {
  const { extraFields, ...words } = profile;
  // A list of JavaScript would become an array of PostgreSQL.
  const values = extraFields ? { ...words, extraFields: JSON.stringify(extraFields) } : words;
  await db.run(sql`
    update accounts set ${sql.join([...setFields(stored, values), sql`updated_at = now()`])}
    where id = ${accountId}
  `);
}

/** What may be verified of an account that is there, and the names that lead to it. Primary key of accounts. */
export const findLinks = (db: Database, accountId: string) =>
  db.first<{ website: string; extraFields: ExtraField[]; usernames: string[] }>(sql`
    select a.website, a.extra_fields as "extraFields",
      array(select u.username from usernames u where u.account_id = a.id) as usernames
    from accounts a
    where a.id = ${accountId} and ${visibleAccount("a")}
  `);

/**
 * Stores that these addresses lead back; those of the account that are neither these nor `kept` no longer do.
 * Answers whether any is left.
 */
export async function writeVerified(
  db: Database,
  accountId: string,
  { verified, kept }: { verified: readonly string[]; kept: readonly string[] },
): Promise<boolean> {
  await db.run(sql`
    delete from verified_links
    where account_id = ${accountId} and address <> all(${[...verified, ...kept]}::text[])
  `);
  await db.run(sql`
    insert into verified_links (account_id, address)
    select a.id, address from accounts a, unnest(${[...verified]}::text[]) address
    where a.id = ${accountId}
    on conflict (account_id, address) do nothing
  `);
  return db.any(sql`select from verified_links where account_id = ${accountId}`);
}

/** Deletes an image that nothing names any more. Answers the key of its files. Primary key. */
export const deleteImage = (db: Database, accountId: string, id: string) =>
  db.column<string>(sql`
    delete from images where account_id = ${accountId} and id = ${id} returning key
  `);
