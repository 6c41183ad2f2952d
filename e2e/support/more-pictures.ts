import pg from "pg";
import type { Member } from "./members.ts";

/**
 * Moves the photo of one post to the end of another of the same author. The composer takes one
 * photo, a post holds up to ten.
 */
export async function joinPosts(
  databaseUrl: string,
  author: Member,
  { into, from }: { into: string; from: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const idOf = async (path: string) => {
      const number = Number(path.split("/").at(-1));
      const { rows } = await client.query<{ id: string }>(
        "select id from posts where author_id = $1 and number = $2",
        [author.id, number],
      );
      return rows[0]?.id;
    };
    const [target, source] = [await idOf(into), await idOf(from)];
    await client.query("begin");
    await client.query(
      `update post_pictures set post_id = $2, position =
         (select count(*) + 1 from post_pictures where author_id = $1 and post_id = $2)
       where author_id = $1 and post_id = $3`,
      [author.id, target, source],
    );
    await client.query(
      "update posts set picture_count = picture_count + 1 where author_id = $1 and id = $2",
      [author.id, target],
    );
    await client.query("delete from posts where author_id = $1 and id = $2", [author.id, source]);
    await client.query("commit");
  } finally {
    await client.end();
  }
}
