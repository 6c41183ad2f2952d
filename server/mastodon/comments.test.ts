import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let [ada, bob, cleo]: Viewer[] = [];
let post: MadePost;
const tokens = new Map<Viewer, { authorization: string }>();

beforeAll(async () => {
  [ada, bob, cleo] = [
    await features.member("Ada Lovelace"),
    await features.member("Bob Birch"),
    await features.member("Cleo Cassidy"),
  ];
  for (const one of [ada, bob, cleo]) tokens.set(one, (await connectedApp(features, one)).headers);
  post = await features.textPost(ada, "Low tide");
});

type Status = { id: string; content: string; mentions: { id: string }[] };
const as = (who: Viewer | undefined) => (who && tokens.get(who)) ?? {};
const read = async <Answer>(who: Viewer | undefined, url: string) =>
  (await app.inject({ url, headers: as(who) })).json<Answer>();
async function reply(who: Viewer | undefined, status: string, to: string): Promise<Status> {
  const payload = { status, in_reply_to_id: to };
  const url = "/api/v1/statuses";
  const answer = await app.inject({ method: "POST", url, payload, headers: as(who) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Status>();
}
const named = ({ mentions }: Status) => mentions.map(({ id }) => id);
const idOf = (who: Viewer | undefined) => decimalOf(who?.id ?? "");

describe("a comment", () => {
  let first: Status;
  let answer: Status;

  beforeAll(async () => {
    first = await reply(bob, "How low?", decimalOf(post.postId));
    answer = await reply(cleo, `Very, @${ada?.username}`, first.id);
  });

  test("names the one who is answered, whatever its words say", async () => {
    const { username } = ada ?? {};
    expect(first.mentions).toEqual([
      { id: idOf(ada), username, acct: username, url: `http://localhost:3000/search/${username}` },
    ]);
    expect(named(answer)).toEqual([idOf(bob), idOf(ada)]);
    expect(named(await reply(ada, "Low", decimalOf(post.postId)))).toEqual([]);
  });

  // Tusky 43ae0bb, entity/Notification.kt: a mention whose status does not name its reader "just posted".
  test("names each of those whom it is told", async () => {
    const again = await reply(ada, "Ask the moon", answer.id);
    for (const [who, status] of [
      [ada, first],
      [bob, answer],
      [cleo, again],
    ] as const) {
      const told = await read<{ type: string; status: Status }[]>(who, "/api/v1/notifications");
      const one = told.find((each) => each.status?.id === status.id);
      expect(one?.type).toBe("mention");
      expect(named(one?.status ?? status)).toContain(idOf(who));
      const grouped = await read<{ statuses: Status[] }>(who, "/api/v2/notifications");
      const same = grouped.statuses.find(({ id }) => id === status.id);
      expect(named(same ?? first)).toContain(idOf(who));
    }
  });
});

test("a profile is reached by its username, however it was called", async () => {
  const { url, uri } = await read<Record<"url" | "uri", string>>(
    bob,
    `/api/v1/accounts/${idOf(ada)}`,
  );
  expect(url).toBe(`http://localhost:3000/search/${ada?.username}`);
  expect(uri).not.toContain(ada?.username);
  for (const address of [url, `http://localhost:3000/search/${ada?.id}`]) {
    const found = await read(bob, `/api/v2/search?q=${encodeURIComponent(address)}`);
    expect(found).toMatchObject({ accounts: [{ id: idOf(ada) }] });
  }
});

const path = () => `/api/v1/accounts/${idOf(cleo)}/statuses`;

const ids = async (query: string, who = bob) =>
  (await read<Status[]>(who, path() + query)).map(({ id }) => id);

describe("posts and replies of a profile", () => {
  let all: string[];

  beforeAll(async () => {
    if (!ada || !cleo) return;
    const written = await read<Status[]>(cleo, path());
    expect(written.map(({ content }) => content)).toHaveLength(1);
    for (let at = 0; at < 3; at += 1) {
      await features.textPost(cleo, `Words ${at}`);
      await reply(cleo, `Comment ${at}`, decimalOf(post.postId));
    }
    all = await ids("?limit=40");
  });

  test("are in one list, newest first, page by page from either end", async () => {
    expect(all).toHaveLength(7);
    expect(all.map(BigInt)).toEqual(
      all.map(BigInt).toSorted((one, other) => (one < other ? 1 : -1)),
    );
    expect(await ids("?limit=3")).toEqual(all.slice(0, 3));
    expect(await ids(`?limit=3&max_id=${all[2]}`)).toEqual(all.slice(3, 6));
    expect(await ids(`?limit=3&max_id=${all[5]}`)).toEqual(all.slice(6));
    expect(await ids(`?limit=3&min_id=${all[6]}`)).toEqual(all.slice(3, 6));
    expect(await ids(`?since_id=${all[4]}`)).toEqual(all.slice(0, 4));
  });

  test("without replies and with photos alone have posts", async () => {
    expect(await ids("?exclude_replies=true")).toHaveLength(3);
    expect(await ids("?only_media=true")).toEqual([]);
  });

  test("leave out what is under a post that the reader may not see, however much it is", async () => {
    if (!ada || !bob || !cleo) return;
    const secret = await features.publish(ada, {
      caption: "For friends",
      audience: "close-friends",
    });
    await features.closeFriends.put(ada, cleo.id);
    for (let at = 0; at < 90; at += 1)
      await features.comments.add(cleo, secret, `Hush ${at}`, null);
    expect(await ids("?limit=40")).toEqual(all);
    expect(await ids("?limit=40", cleo)).toHaveLength(40);
    await features.blocks.block(bob, ada.id);
    const rest = await ids("?limit=40");
    expect(rest).toEqual(await ids("?exclude_replies=true"));
    await features.blocks.unblock(bob, ada.id);
  });
});
