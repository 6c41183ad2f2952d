import { sql, type Sql } from "#server/platform/db/sql.ts";
import { emailCounts } from "#server/features/people/accounts/address.queries.ts";
import { visibleAccount } from "#server/features/people/accounts/visibility.queries.ts";
import {
  count,
  noAccounts,
  room,
  type Asked,
} from "#server/features/people/search/search-ranks.queries.ts";

// The steps of searchAccounts (search.queries.ts), in the order in which they run.

/** Accounts whose email is the whole query. */
export function exact(asked: Asked): Sql {
  const { emailPart } = asked;
  if (emailPart === null) return noAccounts;
  return sql`
    select a.id, a.search_name from accounts a
    where a.email = ${emailPart.toLowerCase()}::text
      and a.email_as_typed = ${emailPart}::text
      and ${foundByEmail(asked)}`;
}

/** Accounts whose name begins with the query. */
export function named({ query, bound }: Asked): Sql {
  return sql`
    select a.id, a.search_name
    from (
      select id, search_name, suspended_at, deleted_at from accounts
      where search_name ~>=~ ${query}
      order by search_name using ~<~
      limit ${bound}
    ) a
    where ${count("exact")} = 0
      and starts_with(a.search_name, ${query}) and ${visibleAccount("a")}`;
}

/** Accounts whose username does. */
export function usernamed({ query, bound }: Asked): Sql {
  return sql`
    select a.id, a.search_name
    from (
      select id, username, search_name, suspended_at, deleted_at from accounts
      where username ~>=~ ${query}
      order by username using ~<~
      limit ${bound}
    ) a
    where ${count("exact")} = 0
      and starts_with(a.username, ${query}) and ${visibleAccount("a")}`;
}

export function roomBegun(asked: Asked): Sql {
  return asked.begins === null ? noAccounts : room(asked, 1, "named", "usernamed");
}

export function begunSample(asked: Asked): Sql {
  if (asked.begins === null) return noAccounts;
  return sql`${withBeginning(asked, sampledGrams)} and ${inSample} limit ${asked.sampled}`;
}

/** Accounts that have one of the pieces that words begin with. */
export function begun(asked: Asked): Sql {
  if (asked.begins === null) return noAccounts;
  return sql`
    (${withBeginning(asked, grams)} and not ${inSample} limit ${besides(asked, "begun_sample")})
    union all select * from begun_sample`;
}

function withBeginning({ begins }: Asked, grams: Sql): Sql {
  return sql`
    select a.id, a.search_name from accounts a
    where ${grams} && (select ${begins}::text[])
      and ${visibleAccount("a")} and ${roomFor("room_begun")}`;
}

export function roomMatching(asked: Asked): Sql {
  return asked.inside === null ? noAccounts : room(asked, 2, "named", "usernamed", "begun");
}

export function matchingSample(asked: Asked): Sql {
  if (asked.inside === null) return noAccounts;
  return sql`${withInside(asked, sampledGrams)} and ${inSample} limit ${asked.sampled}`;
}

/** Accounts whose name contains the query. */
export function matching(asked: Asked): Sql {
  if (asked.inside === null) return noAccounts;
  return sql`
    select * from (
      (${withInside(asked, grams)} and not ${inSample} limit ${besides(asked, "matching_sample")})
      union all select * from matching_sample
    ) a
    where strpos(a.search_name, ${asked.query}) > 0`;
}

function withInside({ inside }: Asked, grams: Sql): Sql {
  return sql`
    select a.id, a.search_name from accounts a
    where ${grams} @> (select ${inside}::text[])
      and ${visibleAccount("a")} and ${roomFor("room_matching")}`;
}

export function roomMailed(asked: Asked): Sql {
  if (asked.emailPart === null) return noAccounts;
  return room(asked, 3, "named", "usernamed", "begun", "matching");
}

export function mailedSample(asked: Asked): Sql {
  if (asked.emailPart === null) return noAccounts;
  const found = withEmailPart(asked, asked.emailPart, sampledEmail);
  return sql`${found} and ${inSample} limit ${asked.sampled}`;
}

/** Accounts whose email contains the query. */
export function mailed(asked: Asked): Sql {
  const { emailPart } = asked;
  if (emailPart === null) return noAccounts;
  const found = withEmailPart(asked, emailPart, email);
  return sql`
    select id, search_name from (
      (${found} and not ${inSample} limit ${besides(asked, "mailed_sample")})
      union all select * from mailed_sample
    ) a
    where strpos(a.email_as_typed, ${emailPart}) > 0
    union all select * from exact`;
}

function withEmailPart(asked: Asked, emailPart: string, email: Sql): Sql {
  return sql`
    select a.id, a.search_name, a.email_as_typed from accounts a
    where ${foundByEmail(asked)}
      and ${email} @> (select ${piecesOf(localPart(emailPart))}::text[])
      and ${roomFor("room_mailed")}`;
}

function foundByEmail({ db, viewerId }: Asked): Sql {
  return sql`a.findable_by_email
    and (${emailCounts(db, "a")} ${viewerId === null ? sql`` : sql`or a.id = ${viewerId}::uuid`})
    and ${visibleAccount("a")}`;
}

/** What is left of `bound` after those of a sample: nothing where they are enough. */
function besides({ bound, sampled }: Asked, sample: string): Sql {
  return sql`
    case when ${count(sample)} < ${sampled} then ${bound} - ${count(sample)} else 0 end`;
}

/** Whether a step is needed, by the step that decides it. */
const roomFor = (step: string) => sql`(select "left" from ${sql.ref(step)})`;

/**
 * One account in 64, by the end of its id, which is random: the same expression as the sample
 * indexes.
 */
const inSample = sql`(get_byte(uuid_send(a.id), 15) < 4)`;

/** The same expressions as accounts_search_grams and accounts_email_grams. */
const grams = sql`search_grams(a.search_name, a.full_name) collate "C"`;
const email = sql`email_grams(a.email_as_typed) collate "C"`;

/** The same expressions as the sample indexes: written so that no other index matches. */
const sampledGrams = sql`search_grams(substr(a.search_name, 1), a.full_name) collate "C"`;
const sampledEmail = sql`email_grams(substr(a.email_as_typed, 1)) collate "C"`;

/**
 * What to look a part of an email up by: the part before the domain, if it is long enough. The
 * pieces of a domain that most people share would each be walked through for nothing.
 */
function localPart(emailPart: string): string {
  const end = emailPart.lastIndexOf("@") + 1;
  return end >= longestPiece ? emailPart.slice(0, end) : emailPart;
}

/** The longest piece in the indexes of pieces, characters (migration 0078). */
const longestPiece = 4;

/** Pieces that whatever has the text in it has too: as few as cover it, since each is walked through. */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  const last = Math.max(0, characters.length - longestPiece);
  const starts = characters.flatMap((_, at) => (at % longestPiece === 0 && at < last ? [at] : []));
  return [...starts, last].map((at) => characters.slice(at, at + longestPiece).join(""));
}
