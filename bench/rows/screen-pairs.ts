import { signInAs, type Product } from "../product.ts";
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
  const [one, full, quietMember, busyMember] = await signInAs(product, [
    newcomer,
    reader,
    quiet.id,
    busy.id,
  ]);
  if (!one || !full || !quietMember || !busyMember) throw new Error("Somebody is missing.");
  await features.follows.follow(one.viewer, quiet.id);

  const pair = (screen: string, path: [one: string, many: string]): ScreenPair => ({
    screen,
    one: { path: path[0], member: one },
    many: { path: path[1], member: full },
  });
  const own: ScreenPair = {
    screen: "own profile",
    one: { path: "/profile", member: quietMember },
    many: { path: "/profile", member: busyMember },
  };
  return [
    pair("home feed", ["/", "/"]),
    pair("GET /api/feed", ["/api/feed", "/api/feed"]),
    pair("profile", [`/search/${quiet.id}`, `/search/${busy.id}`]),
    own,
    pair("post", [few, many]),
    pair("search", [`/search?q=${encodeURIComponent(quiet.name)}`, "/search?q=ada"]),
  ];
}

async function authorWith({ db }: Product, least: number, most: number) {
  return db.kysely
    .selectFrom("accounts as a")
    .innerJoin("account_counters as c", "c.account_id", "a.id")
    .innerJoin("posts as p", (join) =>
      join.onRef("p.author_id", "=", "a.id").on("p.picture_count", ">", 0),
    )
    .select(["a.id", "a.full_name as name"])
    .where("c.posts", ">=", least)
    .where("c.posts", "<=", most)
    .orderBy("a.id")
    .limit(1)
    .executeTakeFirstOrThrow();
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
