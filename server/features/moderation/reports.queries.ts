import { sql, type Sql } from "#server/platform/db/sql.ts";
import { idTime } from "#server/platform/db/times.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { albumOpenTo, inAudience, visibleAccount } from "#server/features/people/index.ts";
import { albumCover, eachPhoto } from "#server/features/posts/index.ts";
import { profileFields, shownFieldNames } from "#shared/profiles.ts";
import type { ReportReason, ReportSubject } from "#shared/report-kinds.ts";
import type { OwnReport, ReportTarget } from "#shared/reports.ts";
import type { ImageView } from "#shared/views.ts";

type ReportedImage = Pick<ImageView, "key" | "width" | "height" | "widths" | "alt">;

/** What is reported, and whose it is. */
export type Reported = {
  accountId: string;
  subject: ReportSubject;
  subjectId: string;
  authorId: string | null;
  postId: string | null;
  conversationId: string | null;
  seq: number | null;
};

/** The same as it is now. */
export type Found = Reported & { said: string; images: ReportedImage[] };

const imageJson = (i: string, alt: Sql) => sql`json_build_object(
  'key', ${sql.ref(`${i}.key`)}, 'width', ${sql.ref(`${i}.width`)}, 'height', ${sql.ref(`${i}.height`)},
  'widths', ${sql.ref(`${i}.widths`)}, 'alt', ${alt}
)`;

/** A username as somebody types it. */
const nameOf = (typed = "") => typed.trim().replace(/^@/, "").toLowerCase().replaceAll("\0", "");

/** A post of an author's present or former username. Unique keys. */
const postAt = (author: string, number: number) => sql`
  select p.* from posts p
  where p.author_id = (select account_id from usernames where username = ${nameOf(author)})
    and p.number = ${number}
`;

/**
 * What a member reports of what is for them, also across blocks: blocking does not prevent a report. So
 * nothing of this goes back to the reporter. Only the other member of its conversation can report a message.
 */
export const findReported = (db: Database, reporterId: string, reported: ReportTarget) =>
  db.first<Found>(sql`${selects(reporterId, reported)}`);

/** What everybody reads on a profile of the row `a`. */
const shownWords = sql.join(
  shownFieldNames.map((name) => sql`nullif(${sql.ref(`a.${profileFields[name].column}`)}, '')`),
);

/** The same of the fields beside them, a line each. */
const shownExtras = sql`(
  select string_agg(concat_ws(': ', nullif(field ->> 'name', ''), nullif(field ->> 'value', '')), E'\n' order by place)
  from jsonb_array_elements(a.extra_fields) with ordinality extra (field, place)
)`;

function selects(reporterId: string, reported: ReportTarget): Sql {
  const nothing = sql`null::uuid as "conversationId", null::integer as seq`;
  if (reported.kind === "account") {
    return sql`
      select a.id as "accountId", 'account' as subject, a.id as "subjectId",
        null::uuid as "authorId", null::uuid as "postId", ${nothing},
        concat_ws(E'\n', nullif(a.full_name, ''), '@' || a.username, ${shownWords}, ${shownExtras}) as said,
        coalesce((
          select json_agg(${imageJson("i", sql`''`)}) from images i
          where i.account_id = a.id and i.id = a.avatar_image_id
        ), '[]'::json) as images
      from accounts a
      where a.id = coalesce(${reported.accountId ?? null}::uuid, (
        select account_id from usernames where username = ${nameOf(reported.username)}
      )) and ${visibleAccount("a")}
    `;
  }
  if (reported.kind === "post") {
    return sql`
      select p.author_id as "accountId", 'post' as subject, p.id as "subjectId",
        p.author_id as "authorId", p.id as "postId", ${nothing},
        concat_ws(E'\n', 'Content warning: ' || p.warning, p.caption) as said,
        ${eachPhoto("p", imageJson("i", sql`pp.alt`))} as images
      from (${postAt(reported.author, reported.number)}) p
      join accounts a on a.id = p.author_id and ${visibleAccount("a")}
        and ${inAudience(reporterId, "p", "a")}
    `;
  }
  if (reported.kind === "comment") {
    return sql`
      select c.account_id as "accountId", 'comment' as subject, c.id as "subjectId",
        c.author_id as "authorId", c.post_id as "postId", ${nothing}, c.body as said,
        '[]'::json as images
      from (${postAt(reported.author, reported.number)}) p
      join comments c on c.author_id = p.author_id and c.post_id = p.id and c.id = ${reported.commentId}
      join accounts author on author.id = p.author_id and ${inAudience(reporterId)}
      join accounts a on a.id = c.account_id and ${visibleAccount("a")}
    `;
  }
  if (reported.kind === "album") return reportedAlbum(reporterId, reported.albumId);
  return sql`
    select m.sender_id as "accountId", 'message' as subject, m.id as "subjectId",
      null::uuid as "authorId", null::uuid as "postId",
      m.conversation_id as "conversationId", m.seq, m.body as said,
      coalesce((
        select json_agg(${imageJson("i", sql`''`)}) from message_pictures i
        where i.conversation_id = m.conversation_id and i.seq = m.seq
      ), '[]'::json) as images
    from messages m
    join conversations c on c.id = m.conversation_id and ${reporterId}::uuid in (c.low_id, c.high_id)
    join accounts a on a.id = m.sender_id and ${visibleAccount("a")}
    where m.conversation_id = ${reported.conversationId} and m.seq = ${reported.seq}
      and m.deleted_at is null
  `;
}

type OpenCase = { id: string; said: string; fresh: boolean };

/**
 * The case for reports of this thing, locked until the transaction ends: the open one, or a new
 * one. moderation_cases_open.
 */
export const openCase = (db: Database, found: Found & { id: string }) =>
  db.one<OpenCase>(sql`
    insert into moderation_cases
      (account_id, id, subject, subject_id, author_id, post_id, conversation_id, seq, said, waits_id)
    values (${found.accountId}, ${found.id}, ${found.subject}, ${found.subjectId}, ${found.authorId},
      ${found.postId}, ${found.conversationId}, ${found.seq}, ${found.said}, ${found.id})
    on conflict (subject, subject_id) where state = 'reported'
      do update set state = 'reported'
    returning id, said, id = ${found.id} as fresh
  `);

type NewReport = {
  id: string;
  reporterId: string;
  accountId: string;
  caseId: string;
  reason: ReportReason;
  words: string;
  said: string | null;
};

/** Sent again by the same member, it replaces the first. Answers its id. */
export async function putReport(db: Database, report: NewReport): Promise<string> {
  const { accountId, caseId, reason } = report;
  const [put] = await db.query<{ id: string }>(sql`
    insert into reports (reporter_id, id, account_id, case_id, reason, words, said)
    values (${report.reporterId}, ${report.id}, ${accountId}, ${caseId}, ${reason},
      ${report.words}, ${report.said})
    on conflict (case_id, reporter_id)
      do update set reason = excluded.reason, words = excluded.words, said = excluded.said
    returning id
  `);
  const id = put?.id ?? report.id;
  await db.run(sql`
    update moderation_cases set
      reports = reports + ${id === report.id ? 1 : 0}::integer,
      reasons = case when ${reason} = any(reasons) then reasons else reasons || ${reason}::text end
    where account_id = ${accountId} and id = ${caseId}
  `);
  return id;
}

type GuestReport = Omit<NewReport, "reporterId" | "said">;

/** A guest's report of a case; each counts, because nobody knows whose it is. Primary keys. */
export async function addGuestReport(db: Database, report: GuestReport): Promise<void> {
  const { accountId, caseId, id, reason, words } = report;
  await db.run(sql`
    with added as (
      insert into guest_reports (account_id, case_id, id, reason, words)
      values (${accountId}, ${caseId}, ${id}, ${reason}, ${words})
    )
    update moderation_cases set
      reports = reports + 1,
      reasons = case when ${reason} = any(reasons) then reasons else reasons || ${reason}::text end
    where account_id = ${accountId} and id = ${caseId}
  `);
}

export type CaseImage = Omit<ReportedImage, "widths"> & { place: number; bytes: Buffer };

/** Those that the case does not have yet, up to `most` of it. */
export async function addCaseImages(
  db: Database,
  { accountId, caseId }: { accountId: string; caseId: string },
  images: readonly CaseImage[],
  most: number,
): Promise<void> {
  for (const { key, place, width, height, alt, bytes } of images) {
    await db.run(sql`
      insert into case_pictures (account_id, case_id, key, place, width, height, alt, bytes)
      select ${accountId}, ${caseId}, ${key}, ${place}, ${width}, ${height}, ${alt}, ${bytes}
      where (
        select count(*) from case_pictures where account_id = ${accountId} and case_id = ${caseId}
      ) < ${most}
      on conflict do nothing
    `);
  }
}

/** The moderators to notify, without the one it is about. Index accounts_moderators. */
export const moderatorsBut = (db: Database, accountId: string, limit: number) =>
  db.column<string>(sql`
    select a.id from accounts a
    where a.role <> 'member' and a.id <> ${accountId} and ${visibleAccount("a")}
    order by a.id
    limit ${limit}
  `);

/** Newest first. Primary keys of reports, cases and verdicts. */
export const reportsOf = (
  db: Database,
  { reporterId, below, limit }: { reporterId: string; below: string; limit: number },
) =>
  db.query<KeyedRow<OwnReport>>(sql`
    select json_build_array(r.id) as key, json_build_object(
      'id', r.id, 'at', ${idTime("r.id")}, 'subject', c.subject, 'reason', r.reason,
      'words', r.words,
      'outcome', case when v.act is null then 'open' when v.act = 'dismiss' then 'dismissed' else 'acted' end,
      'answer', case when v.act = 'dismiss' then v.reason else '' end
    ) as item
    from reports r
    join moderation_cases c on c.account_id = r.account_id and c.id = r.case_id
    left join verdicts v on v.account_id = r.account_id and v.case_id = r.case_id
    where r.reporter_id = ${reporterId} and r.id < ${below}
    order by r.id desc
    limit ${limit}
  `);

/**
 * An album that is for the reporter, also across a block, as it is now: its words, and the photo that stands for it.
 * Index albums_by_id.
 */
const reportedAlbum = (reporterId: string, albumId: string): Sql => sql`
  select al.owner_id as "accountId", 'album' as subject, al.id as "subjectId",
    null::uuid as "authorId", null::uuid as "postId", null::uuid as "conversationId", null::integer as seq,
    concat_ws(E'\\n', al.title, nullif(al.description, '')) as said,
    case when cover.photo is null then '[]'::json else json_build_array(cover.photo) end as images
  from albums al
  cross join lateral (select ${albumCover(reporterId)} as photo) cover
  where al.id = ${albumId} and ${albumOpenTo(reporterId, "al", visibleAccount("album_owner"))}
`;
