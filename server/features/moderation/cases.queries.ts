import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { outcomeOf } from "#server/features/moderation/moderation.queries.ts";
import type { Reported } from "#server/features/moderation/reports.queries.ts";
import { epochMs, idTime } from "#server/platform/db/times.ts";
import { accountSummary, albumOpenTo, inAudience } from "#server/features/people/index.ts";
import { reportLimits } from "#shared/report-limits.ts";
import type { CaseRow, CaseView } from "#shared/reports.ts";

/*
 * Moderators see everybody: neither blocks nor suspensions hide what is to be decided. The content
 * of a case is read only from its copy, so a conversation shows the one message, and a post that is not for
 * them nothing else. The operator at the command line has no audience to be in.
 */

/** A row `c` of moderation_cases and its account's row `a`, as the queue's line. */
const line = sql`
  'id', c.id, 'subject', c.subject, 'account', ${accountSummary("a")},
  'pictures', (
    select count(*) from case_pictures p where p.account_id = c.account_id and p.case_id = c.id
  ),
  'reasons', c.reasons, 'reports', c.reports, 'state', c.state, 'since', ${idTime("c.waits_id")}
`;

type QueuePage = { viewerId: string | null; above: string; limit: number };

/** What waits longest first, without cases about the reader. moderation_cases_waiting. */
export const queueOf = (db: Database, { viewerId, above, limit }: QueuePage) =>
  db.query<KeyedRow<CaseRow>>(sql`
    select json_build_array(c.waits_id) as key,
      json_build_object(${line}, 'said', left(c.said, 300)) as item
    from moderation_cases c
    join accounts a on a.id = c.account_id
    where c.state <> 'closed' and c.waits_id > ${above}
      and c.account_id is distinct from ${viewerId}::uuid
    order by c.waits_id
    limit ${limit}
  `);

/** The images of a case `c` as they were. */
const imagesOf = sql`coalesce((
  select json_agg(json_build_object(
    'key', p.key, 'width', p.width, 'height', p.height, 'alt', p.alt
  ) order by p.place, p.key)
  from case_pictures p where p.account_id = c.account_id and p.case_id = c.id
), '[]'::json)`;

/** The reporters of a case `c`, with the outcome of their reports. */
const reportersOf = sql`coalesce((
  select json_agg(json_build_object(
    'id', r.id, 'at', ${idTime("r.id")}, 'reason', r.reason, 'words', r.words, 'said', r.said,
    'account', ${accountSummary("by")},
    'history', (
      select json_build_object(
        'reports', count(*),
        'acted', count(*) filter (where done.act <> 'dismiss'),
        'dismissed', count(*) filter (where done.act = 'dismiss'),
        'verdicts', (
          select count(*) from verdicts own
          where own.account_id = r.reporter_id and own.act <> 'dismiss'
        )
      )
      from (select * from reports where reporter_id = r.reporter_id limit 1000) made
      left join verdicts done
        on done.account_id = made.account_id and done.case_id = made.case_id
    )
  ) order by r.id desc)
  from (
    select * from reports
    where account_id = c.account_id and case_id = c.id
    order by id desc
    limit ${reportLimits.shown}
  ) r
  join accounts by on by.id = r.reporter_id
), '[]'::json)`;

/** What guests of links reported of a case `c`; they have no account. Primary key. */
const guestReportsOf = sql`coalesce((
  select json_agg(json_build_object(
    'id', g.id, 'at', ${idTime("g.id")}, 'reason', g.reason, 'words', g.words
  ) order by g.id desc)
  from (
    select * from guest_reports
    where account_id = c.account_id and case_id = c.id
    order by id desc
    limit ${reportLimits.shown}
  ) g
), '[]'::json)`;

/** What was decided about a case `c`. */
const verdictOf = sql`(
  select json_build_object(
    'act', v.act, 'takenDown', v.taken_down, 'reason', v.reason, 'until', ${epochMs("v.until")},
    'at', ${idTime("v.id")},
    'moderator', (select ${accountSummary("m")} from accounts m where m.id = v.moderator_id),
    'answer', v.answer, 'outcome', ${outcomeOf}
  )
  from verdicts v where v.account_id = c.account_id and v.case_id = c.id
)`;

/** Other cases about the account of a case `c`. */
const earlierOf = sql`coalesce((
  select json_agg(json_build_object(
    'id', e.id, 'at', ${idTime("e.id")}, 'subject', e.subject, 'reasons', e.reasons,
    'reports', e.reports, 'act', v.act, 'outcome', v.outcome, 'until', ${epochMs("v.until")}
  ) order by e.id desc)
  from (
    select * from moderation_cases
    where account_id = c.account_id and id <> c.id
    order by id desc
    limit ${reportLimits.earlier}
  ) e
  left join verdicts v on v.account_id = e.account_id and v.case_id = e.id
), '[]'::json)`;

/** Everything of one case, unless it is about the reader. Keys and ordered prefixes only. */
export const findCase = (db: Database, viewerId: string | null, id: string) =>
  db.value<CaseView>(sql`
    select json_build_object(
      ${line},
      'said', c.said,
      'path', case c.subject
        when 'account' then '/search/' || c.account_id
        when 'post' then post.path
        when 'album' then (
          select '/album/' || al.id from albums al
          where al.owner_id = c.account_id and al.id = c.subject_id
            and (${viewerId}::uuid is null or ${albumOpenTo(viewerId)})
        )
        when 'comment' then (
          select post.path || '?comment=' || k.id || '#comment-' || k.id from comments k
          where k.author_id = c.author_id and k.post_id = c.post_id and k.id = c.subject_id
        )
      end,
      'images', ${imagesOf},
      'reportedBy', ${reportersOf},
      'reportedByGuests', ${guestReportsOf},
      'suspended', a.suspended_at is not null,
      'verdict', ${verdictOf},
      'earlier', ${earlierOf}
    ) as item
    from moderation_cases c
    join accounts a on a.id = c.account_id
    left join lateral (
      select '/post/' || author.username || '/' || p.number as path
      from posts p join accounts author on author.id = p.author_id
      where p.author_id = c.author_id and p.id = c.post_id
        and (${viewerId}::uuid is null or ${inAudience(viewerId)})
    ) post on true
    where c.id = ${id} and c.account_id is distinct from ${viewerId}::uuid
  `);

/** WebP. Primary key of case_pictures. */
export const findCaseImage = (
  db: Database,
  viewerId: string | null,
  { caseId, key }: { caseId: string; key: string },
) =>
  db.value<Buffer>(sql`
    select p.bytes from moderation_cases c
    join case_pictures p on p.account_id = c.account_id and p.case_id = c.id and p.key = ${key}
    where c.id = ${caseId} and c.account_id is distinct from ${viewerId}::uuid
  `);

export type LockedCase = Reported & { id: string; state: CaseView["state"] };

/** Two moderators decide one after the other. moderation_cases_id. */
export const lockCase = (db: Database, id: string) =>
  db.first<LockedCase>(sql`
    select account_id as "accountId", id, subject, subject_id as "subjectId",
      author_id as "authorId", post_id as "postId", conversation_id as "conversationId", seq, state
    from moderation_cases where id = ${id} for update
  `);

/**
 * A case that nobody reported, and that is closed from the start: it carries a verdict about an
 * account.
 */
export const insertOwnCase = (db: Database, accountId: string, id: string) =>
  db.run(sql`
    insert into moderation_cases
      (account_id, id, subject, subject_id, has_copy, state, waits_id, closed_at)
    values (${accountId}, ${id}, 'account', ${accountId}, false, 'closed', ${id}, now())
  `);

/**
 * Empties the copies of cases that were closed so many days ago, at most `limit`. Answers how many.
 * moderation_cases_closed.
 */
export const emptyCopies = (db: Database, days: number, limit: number) =>
  db.count(sql`
    with old as materialized (
      select account_id, id from moderation_cases
      where closed_at < now() - make_interval(days => ${days}::integer) and has_copy
      order by closed_at
      limit ${limit}
      for update skip locked
    ), pictures as (
      delete from case_pictures p using old where p.account_id = old.account_id and p.case_id = old.id
    ), copies as (
      update reports r set said = null from old
      where r.account_id = old.account_id and r.case_id = old.id and r.said is not null
    )
    update moderation_cases c set said = '', has_copy = false from old
    where c.account_id = old.account_id and c.id = old.id
    returning 1
  `);
