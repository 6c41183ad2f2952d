import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ms } from "#server/platform/db/times.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import type { ImportedMessageView, ImportedConversationView } from "#shared/archive.ts";

/** A message as an archive says it was, checked. */
export type NewImportedMessage = {
  threadId: string;
  /** its number in the conversation, from 1 */
  number: number;
  id: string;
  sent: boolean;
  body: string;
  deleted: boolean;
  /** epoch ms */
  sentAt: number;
  other: { username: string; name: string } | null;
  /** pixels */
  picture: { width: number; height: number } | null;
};

type MessagePosition = Pick<NewImportedMessage, "threadId" | "number">;

/**
 * What is stored of each of these messages: `known` ones were imported before, or belong to a
 * conversation that the account takes part in here (what was taken back in it stays so); `fresh`
 * ones came since `since`. Primary keys of conversation_members and imported_messages.
 */
export const statesOf = (
  db: Database,
  accountId: string,
  places: readonly MessagePosition[],
  since: Date,
) =>
  db.column<"missing" | "known" | "fresh">(sql`
    select case
      when here.account_id is not null then 'known'
      when m.number is null then 'missing'
      when m.imported_at >= ${since} then 'fresh'
      else 'known'
    end as state
    from unnest(
      ${places.map(({ threadId }) => threadId)}::uuid[],
      ${places.map(({ number }) => number)}::integer[]
    ) with ordinality as asked (thread_id, number, place)
    left join conversation_members here
      on here.account_id = ${accountId} and here.conversation_id = asked.thread_id
    left join imported_messages m
      on m.account_id = ${accountId} and m.thread_id = asked.thread_id and m.number = asked.number
    order by place
  `);

/** Writes those that are not there yet, with the conversations they belong to; answers how many. */
export async function insertMessages(
  db: Database,
  accountId: string,
  messages: readonly NewImportedMessage[],
): Promise<number> {
  if (messages.length === 0) return 0;
  return db.count(sql`
    with brought as materialized (
      select distinct on ("threadId", number) *
      from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m (
        "threadId" uuid, number integer, id uuid, sent boolean, body text, deleted boolean,
        "sentAt" float8, other jsonb, picture jsonb
      )
    ), threads as (
      insert into imported_threads (account_id, id, other_username, other_name, newest_at)
      select ${accountId}, "threadId", max(other ->> 'username'), max(other ->> 'name'),
        to_timestamp(max("sentAt") / 1000)
      from brought group by "threadId" order by "threadId"
      on conflict (account_id, id) do update set
        other_username = coalesce(imported_threads.other_username, excluded.other_username),
        other_name = coalesce(imported_threads.other_name, excluded.other_name),
        newest_at = greatest(imported_threads.newest_at, excluded.newest_at)
      returning id
    )
    insert into imported_messages (account_id, thread_id, number, id, sent, body, deleted, sent_at,
      picture_width, picture_height)
    select ${accountId}, "threadId", number, m.id, sent, body, deleted,
      to_timestamp("sentAt" / 1000), (picture ->> 'width')::integer, (picture ->> 'height')::integer
    from brought m join threads on threads.id = m."threadId"
    on conflict do nothing
    returning number
  `);
}

export async function insertImage(
  db: Database,
  accountId: string,
  { threadId, number }: MessagePosition,
  { key, width, height, widths, thumbhash, bytes, mediaType }: ReceivedImage,
): Promise<void> {
  const stored = { key, width, height, widths, thumbhash, bytes, media_type: mediaType };
  const row = { account_id: accountId, thread_id: threadId, number, ...stored };
  await db.run(sql`insert into imported_pictures ${sql.row(row)}`);
}

const importedConversationView = sql`json_build_object(
  'id', t.id,
  'other', case when t.other_username is not null
    then json_build_object('username', t.other_username, 'name', t.other_name) end,
  'newestAt', ${ms("t.newest_at")}
)`;

/** Whether an account imported any conversation. Primary key of imported_threads. */
export const hasImportedConversations = (db: Database, accountId: string) =>
  db.scalar<boolean>(sql.named("imported-threads.some")`
    select exists (select from imported_threads where account_id = ${accountId}) as some
  `);

/** Newest first. Index imported_threads_newest. */
export async function importedConversationsOf(
  db: Database,
  accountId: string,
  { below, limit }: { below: [newestAt: number, id: string] | null; limit: number },
): Promise<KeyedRow<ImportedConversationView>[]> {
  const older = below
    ? sql`and (newest_at, id) < (to_timestamp(${below[0]}::float8 / 1000), ${below[1]}::uuid)`
    : sql``;
  return db.query<KeyedRow<ImportedConversationView>>(sql`
    select json_build_array(${ms("t.newest_at")}, t.id) as key, ${importedConversationView} as item
    from imported_threads t
    where t.account_id = ${accountId} ${older}
    order by t.newest_at desc, t.id desc
    limit ${limit}
  `);
}

/** Primary key. */
export const findImportedConversation = (db: Database, accountId: string, id: string) =>
  db.value<ImportedConversationView>(sql`
    select ${importedConversationView} as item from imported_threads t
    where t.account_id = ${accountId} and t.id = ${id}
  `);

/** Oldest first, above a number. Primary key. */
export const messagesOf = (
  db: Database,
  accountId: string,
  { threadId, above, limit }: { threadId: string; above: number; limit: number },
) =>
  db.query<KeyedRow<ImportedMessageView>>(sql`
    select json_build_array(m.number) as key, json_build_object(
      'number', m.number,
      'sent', m.sent,
      'body', m.body,
      'deleted', m.deleted,
      'sentAt', ${ms("m.sent_at")},
      'hasPicture', m.picture_width is not null,
      'picture', (
        select json_build_object(
          'key', '/chat/imported/' || m.thread_id || '/' || m.number,
          'width', p.width, 'height', p.height, 'widths', p.widths,
          'thumbhash', replace(encode(p.thumbhash, 'base64'), chr(10), ''), 'alt', ''
        )
        from imported_pictures p
        where p.account_id = m.account_id and p.thread_id = m.thread_id and p.number = m.number
      )
    ) as item
    from imported_messages m
    where m.account_id = ${accountId} and m.thread_id = ${threadId} and m.number > ${above}
    order by m.number
    limit ${limit}
  `);

/** The key under which an image is stored. Primary key. */
export const importedImageKey = (
  db: Database,
  accountId: string,
  { threadId, number }: MessagePosition,
) =>
  db.value<string>(sql`
    select key
    from imported_pictures
    where account_id = ${accountId} and thread_id = ${threadId} and number = ${number}
  `);

/** Deletes a conversation. Answers the keys of its files, null when there is none. */
export const deleteImportedConversation = (db: Database, accountId: string, id: string) =>
  db.value<string[]>(sql`
    with gone as (
      delete from imported_threads where account_id = ${accountId} and id = ${id} returning id
    )
    select coalesce((
      select array_agg(key) from imported_pictures
      where account_id = ${accountId} and thread_id = ${id}
    ), '{}') as keys
    from gone
  `);
