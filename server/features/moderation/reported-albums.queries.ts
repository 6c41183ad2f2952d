import { sql, type Sql } from "#server/platform/db/sql.ts";
import { albumOpenTo, visibleAccount } from "#server/features/people/index.ts";
import { albumCover } from "#server/features/posts/index.ts";

/**
 * An album that is for the reporter, also across a block, as it is now: its words, and the photo that stands for it.
 * Index albums_by_id.
 */
export const reportedAlbum = (reporterId: string, albumId: string): Sql => sql`
  select al.owner_id as "accountId", 'album' as subject, al.id as "subjectId",
    null::uuid as "authorId", null::uuid as "postId", null::uuid as "conversationId", null::integer as seq,
    concat_ws(E'\\n', al.title, nullif(al.description, '')) as said,
    case when cover.photo is null then '[]'::json else json_build_array(cover.photo) end as images
  from albums al
  cross join lateral (select ${albumCover(reporterId)} as photo) cover
  where al.id = ${albumId} and ${albumOpenTo(reporterId, "al", visibleAccount("album_owner"))}
`;
