import { sql } from "#server/platform/db/sql.ts";
import { signInAs, type Member, type Product } from "../product.ts";
import type { ScreenPair } from "./round-trips.ts";

/**
 * Every screen that reads lists, once for a member and accounts with a single item to show and once with a
 * full page of them, all found in a generated graph. `reader` follows many accounts; `newcomer` follows
 * nobody yet.
 */
export async function screenPairs(
  product: Product,
  { reader, newcomer }: { reader: string; newcomer: string },
): Promise<ScreenPair[]> {
  const { features } = product;
  const quiet = await authorWith(product, 1, 1);
  const busy = await authorWith(product, 30, 10_000);
  const few = await postWith(product, 1, 1);
  const many = await postWith(product, 5, 10_000);
  const people = [newcomer, reader, quiet.id, busy.id, await whoBookmarkedMost(product)];
  const [one, full, quietMember, busyMember, saver] = await signInAs(product, people);
  if (!one || !full || !quietMember || !busyMember || !saver) throw new Error("Nobody is there.");
  const ref = { authorId: quiet.id, postId: quiet.postId };
  await features.bookmarks.save(one.viewer, ref);
  await features.follows.follow(one.viewer, quiet.id);

  const pair = (screen: string, path: [one: string, many: string]): ScreenPair => ({
    screen,
    one: { path: path[0], member: one },
    many: { path: path[1], member: full },
  });
  return [
    pair("home feed", ["/", "/"]),
    pair("GET /api/feed", ["/api/feed", "/api/feed"]),
    pair("profile", [`/search/${quiet.id}`, `/search/${busy.id}`]),
    ownScreen("own profile", "/profile", [quietMember, busyMember]),
    pair("post", [few, many]),
    ownScreen("saved", "/saved", [one, saver]),
    pair("followers", [`/profile/followers/${quiet.id}`, `/profile/followers/${busy.id}`]),
    pair("following", [`/profile/following/${newcomer}`, `/profile/following/${reader}`]),
    // both could be a part of an email, which takes one more statement than a name alone
    pair("search", [`/search?q=${encodeURIComponent(one.viewer.email)}`, "/search?q=brandt"]),
  ];
}

function ownScreen(screen: string, path: string, members: [one: Member, many: Member]): ScreenPair {
  return {
    screen,
    one: { path, member: members[0] },
    many: { path, member: members[1] },
  };
}

async function authorWith({ db }: Product, least: number, most: number) {
  const [author] = await db.query<{ id: string; postId: string }>(sql`
    select a.id, p.id as "postId"
    from accounts a
    join account_counters c on c.account_id = a.id
    join posts p on p.author_id = a.id and p.picture_count > 0
    where c.posts between ${least} and ${most}
    order by a.id
    limit 1
  `);
  if (!author) throw new Error(`Nobody has ${least} to ${most} posts.`);
  return author;
}

/** The account with the most bookmarks of photo posts. */
async function whoBookmarkedMost({ db }: Product): Promise<string> {
  const [most] = await db.query<{ id: string }>(sql`
    select account_id as id
    from bookmarks
    where has_picture
    group by account_id
    order by count(*) desc
    limit 1
  `);
  if (!most) throw new Error("Nobody saved a photo.");
  return most.id;
}

/** The path of a post with that many comments. */
async function postWith({ db }: Product, least: number, most: number): Promise<string> {
  const [post] = await db.query<{ username: string; number: number }>(sql`
    select a.username, p.number
    from posts p
    join accounts a on a.id = p.author_id
    where p.comment_count between ${least} and ${most} and p.picture_count > 0
    order by p.comment_count desc
    limit 1
  `);
  if (!post) throw new Error(`No photo has ${least} to ${most} comments.`);
  return `/post/${post.username}/${post.number}`;
}
