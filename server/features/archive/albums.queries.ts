import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { sql } from "#server/platform/db/sql.ts";
import { inOwnAudience, visibleTo } from "#server/features/people/index.ts";
import { eachPhoto } from "#server/features/posts/index.ts";
import type { AlbumAudience, AlbumOrder } from "#shared/albums.ts";

type Named = { username: string; name: string };

/** A post of the account's own, and how its first photo is stored in the archive; of others' posts their name alone. */
export type ArchivedItem =
  | {
      post: number;
      id: string;
      /** the post is for whoever the album is for; otherwise it was put in */
      uploaded: boolean;
      caption: string;
      /** null where its file was lost */
      picture: { mediaType: string; width: number; height: number; alt: string } | null;
    }
  | ({ post: null } & Named);

export type ArchivedAlbum = {
  id: string;
  title: string;
  description: string;
  audience: AlbumAudience;
  order: AlbumOrder;
  /** the id of the account's own post that was chosen to stand for it */
  cover: string | null;
  contributors: Named[];
  /** in the album's order */
  items: ArchivedItem[];
};

const named = sql`'username', a.username, 'name', coalesce(nullif(a.full_name, ''), a.username)`;

/**
 * An account's own albums, oldest first, with what it sees in them. Primary keys of albums, album_members,
 * album_items and posts.
 */
export const readAlbums = (db: Database, ownerId: string, after: string | null, limit: number) =>
  db.query<ArchivedAlbum>(sql`
    select al.id, al.title, al.description, al.audience, al.sorted as order,
      case when al.cover_author_id = al.owner_id then al.cover_post_id end as cover,
      coalesce((
        select json_agg(json_build_object(${named}) order by m.id)
        from album_members m join accounts a on a.id = m.account_id and ${visibleTo(ownerId, "a")}
        where m.owner_id = al.owner_id and m.album_id = al.id and m.role = 'contributor'
      ), '[]'::json) as contributors,
      coalesce((
        select json_agg(
          case when p.author_id = al.owner_id then json_build_object(
            'post', p.number, 'id', p.id, 'uploaded', p.album_id is not null, 'caption', p.caption,
            'picture', ${eachPhoto(
              "p",
              sql`json_build_object(
                'mediaType', i.media_type, 'width', i.width, 'height', i.height, 'alt', pp.alt
              )`,
            )} -> 0
          ) else json_build_object('post', null, ${named}) end
          order by case when al.sorted = 'manual' then it.position end, it.post_id
        )
        from album_items it
        join posts p on p.author_id = it.author_id and p.id = it.post_id and p.picture_count > 0
        join accounts a on a.id = p.author_id and ${visibleTo(ownerId, "a")}
        where it.owner_id = al.owner_id and it.album_id = al.id
          and (p.album_id = al.id or ${inOwnAudience(ownerId, "p", "a")})
      ), '[]'::json) as items
    from albums al
    where al.owner_id = ${ownerId} and al.id > ${after ?? lowestId}
    order by al.id
    limit ${limit}
  `);
