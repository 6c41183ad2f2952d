import { sql, type Sql } from "#server/platform/db/sql.ts";
import { atLeastFor, visibleAccount } from "#server/features/people/index.ts";
import { newestVisible } from "#server/features/posts/index.ts";
import type { LinkKind } from "#shared/link-kinds.ts";

type Page = { below: string; limit: number };

type Kind = {
  /** the posts of a row `l` of shared_links, newest first; `author` is its maker's row */
  posts: (page: Page) => Sql;
  /** whether a row `p` of its maker's posts is one of them */
  has: Sql;
};

const confirmed = sql.ref("l.audience");

/** What each kind of link shows: at every read no more than its maker confirmed. */
export const kinds: Record<LinkKind, Kind> = {
  post: {
    posts: ({ below }) => sql`
      select p.* from posts p
      where p.author_id = l.account_id and p.id = l.post_id and p.id < ${below}::uuid
        and ${atLeastFor(confirmed)}
    `,
    has: sql`p.id = l.post_id`,
  },
  profile: {
    posts: (page) => newestVisible(null, { ...page, isFor: atLeastFor(confirmed, "part") }),
    has: sql`true`,
  },
};

/** Whether a row `l` of shared_links shows a row `p` of its maker's posts, whose row is `author`. */
export const showsPost = sql`(
  case l.kind ${sql.join(
    Object.entries(kinds).map(([name, { has }]) => sql`when ${sql.lit(name)} then ${has}`),
    sql` `,
  )} else false end
  and ${atLeastFor(confirmed)}
)`;

/** Whether a row `l` of shared_links opens, with its maker's row `author`: at every read, whoever asks. */
export const opens = sql`(
  (l.expires_at is null or l.expires_at > now()) and ${visibleAccount("author")}
)`;
