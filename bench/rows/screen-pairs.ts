import { signInAs, type Member, type Product } from "../product.ts";
import type { ScreenPair } from "./round-trips.ts";

/**
 * Every screen that reads lists, once for a member and accounts with a single thing to show and
 * once with a full page of them, all found in a generated graph.
 * `reader` follows many accounts; `newcomer` follows nobody yet.
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
  const people = [newcomer, reader, quiet.id, busy.id, await whoSavedMost(product)];
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
    // both could be a part of an email, which takes one more than a name alone
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
  return db.kysely
    .selectFrom("accounts as a")
    .innerJoin("account_counters as c", "c.account_id", "a.id")
    .innerJoin("posts as p", (join) =>
      join.onRef("p.author_id", "=", "a.id").on("p.picture_count", ">", 0),
    )
    .select(["a.id", "p.id as postId"])
    .where("c.posts", ">=", least)
    .where("c.posts", "<=", most)
    .orderBy("a.id")
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Who saved the most photo posts. */
async function whoSavedMost({ db }: Product): Promise<string> {
  const { id } = await db.kysely
    .selectFrom("bookmarks")
    .select("account_id as id")
    .where("has_picture", "=", true)
    .groupBy("account_id")
    .orderBy((saved) => saved.fn.countAll(), "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

/** The path of a post with that many comments. */
async function postWith({ db }: Product, least: number, most: number): Promise<string> {
  const { username, number } = await db.kysely
    .selectFrom("posts as p")
    .innerJoin("accounts as a", "a.id", "p.author_id")
    .select(["a.username", "p.number"])
    .where("p.comment_count", ">=", least)
    .where("p.comment_count", "<=", most)
    .where("p.picture_count", ">", 0)
    .orderBy("p.comment_count", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return `/post/${username}/${number}`;
}
