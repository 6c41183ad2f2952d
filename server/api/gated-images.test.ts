import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { testApp, type Caller } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import type { MadePost } from "#server/test/factories.ts";
import { plain } from "#server/test/images.ts";
import { audiences, type Audience } from "#shared/posts.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * A photo of a post that is not for everyone opens only for who may see the post, at every request.
 */
const sent: string[] = [];
const { db } = await freshDatabase((text) => void sent.push(text));
const { call, app, features: on, cookieOf } = await testApp(db);

const people = {} as Record<
  "author" | "closed" | "follower" | "friend" | "stranger" | "blocked" | "moderator",
  Viewer
>;

beforeAll(async () => {
  for (const name of [
    "author",
    "closed",
    "follower",
    "friend",
    "stranger",
    "blocked",
    "moderator",
  ] as const) {
    people[name] = await on.member(name);
  }
  for (const whom of [people.author, people.closed]) {
    for (const who of ["follower", "friend", "blocked"] as const) {
      await on.follows.follow(people[who], whom.id);
    }
    await befriend(whom, people.friend);
    await on.blocks.block(whom, people.blocked.id);
  }
  await db.query(sql`update accounts set role = 'moderator' where id = ${people.moderator.id}`);
  await goPrivate(people.closed);
});

const befriend = (owner: Viewer, friend: Viewer) =>
  db.query(
    sql`insert into close_friends ${sql.row({
      account_id: owner.id,
      friend_id: friend.id,
      id: friend.id,
    })}`,
  );
const goPrivate = ({ id }: Viewer) =>
  db.query(sql`update accounts set private_at = now() where id = ${id}`);

async function photoFor(author: Viewer, audience: Audience) {
  const pictures = [{ imageId: await on.upload(author), alt: "" }];
  const post = await on.publish(author, { pictures, audience });
  return { post, path: imageUrl(await keyOf(post), 96) };
}

async function keyOf({ authorId, postId }: MadePost): Promise<string> {
  const row = await db.first<{ key: string }>(sql`
    select i.key from post_pictures pp join images i on i.account_id = pp.author_id and i.id = pp.image_id
    where pp.author_id = ${authorId} and pp.post_id = ${postId}
  `);
  return row!.key;
}

const statusFor = async (caller: Caller, path: string) =>
  (await call(caller, "GET", path)).statusCode;

const bytesOf = async (key: string) =>
  (await call(people.friend, "GET", imageUrl(key, 320))).rawPayload;

/** As an app loads it: without any header of ours. */
const load = (address: string) => app.inject({ url: address.replace("http://localhost:3000", "") });

/** Headers without those that differ between any two answers. */
const lasting = ({ headers }: { headers: object }) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !["date", "x-request-id", "content-security-policy"].includes(name),
    ),
  );

describe("who may open a photo", () => {
  const everybody = ["author", "follower", "friend", "stranger", "blocked", "moderator"] as const;
  const mayOpen: Record<Audience, readonly (typeof everybody)[number][]> = {
    everyone: everybody,
    followers: ["author", "follower", "friend"],
    "close-friends": ["author", "friend"],
    "only-me": ["author"],
  };

  test.each(audiences)("of a post for %s", async (audience) => {
    const { path } = await photoFor(people.author, audience);
    for (const who of everybody) {
      const expected = mayOpen[audience].includes(who) ? 200 : 404;
      expect([who, await statusFor(people[who], path)]).toEqual([who, expected]);
    }
    expect(await statusFor(null, path)).toBe(audience === "everyone" ? 200 : 404);
  });

  test.each(audiences)("of a post for %s by a private account", async (audience) => {
    const { path } = await photoFor(people.closed, audience);
    const may = mayOpen[audience === "everyone" ? "followers" : audience];
    for (const who of everybody) {
      const asking = who === "author" ? people.closed : people[who];
      expect([who, await statusFor(asking, path)]).toEqual([who, may.includes(who) ? 200 : 404]);
    }
    expect(await statusFor(null, path)).toBe(404);
  });

  test("its avatar and what it has not posted yet are everybody's", async () => {
    const { closed } = people;
    expect(await statusFor(null, imageUrl(closed.avatar!.key, 96))).toBe(200);
    const { picture } = await on.images.upload(closed, await on.photo());
    expect(await statusFor(null, imageUrl(picture.key, 96))).toBe(200);
  });

  test("ends with a follow, a friendship, a block, a suspension and a session", async () => {
    const [owner, fan] = [await on.member("Owner"), await on.member("Fan")];
    const followers = await photoFor(owner, "followers");
    const friends = await photoFor(owner, "close-friends");
    const both = async () => [
      await statusFor(fan, followers.path),
      await statusFor(fan, friends.path),
    ];
    expect(await both()).toEqual([404, 404]);
    await on.follows.follow(fan, owner.id);
    await befriend(owner, fan);
    expect(await both()).toEqual([200, 200]);
    await on.follows.unfollow(fan, owner.id);
    expect(await both()).toEqual([404, 200]);
    await db.query(sql`delete from close_friends where account_id = ${owner.id}`);
    expect(await both()).toEqual([404, 404]);
    await on.follows.follow(fan, owner.id);
    await befriend(owner, fan);
    await goPrivate(owner);
    expect(await both()).toEqual([200, 200]);
    await on.blocks.block(owner, fan.id);
    expect(await both()).toEqual([404, 404]);
    await on.blocks.unblock(owner, fan.id);
    await db.query(sql`update accounts set private_at = null where id = ${owner.id}`);
    await on.follows.follow(fan, owner.id);
    await db.query(sql`delete from close_friends where account_id = ${owner.id}`);
    await befriend(owner, fan);
    await goPrivate(owner);
    expect(await both()).toEqual([200, 200]);
    await on.suspend(fan);
    expect(await both()).toEqual([404, 404]);
    await db.query(sql`update accounts set suspended_at = null where id = ${fan.id}`);
    expect(await both()).toEqual([200, 200]);
    await on.identity.sessions.endAll(fan.id);
    expect(await both()).toEqual([404, 404]);
  });

  test("a moderator sees what was withdrawn and was everybody's, and nothing that was kept from others", async () => {
    const owner = await on.member("Owner");
    const { path } = await photoFor(owner, "only-me");
    const { path: open } = await photoFor(owner, "everyone");
    expect(await statusFor(people.moderator, path)).toBe(404);
    await on.suspend(owner);
    expect(await statusFor(people.moderator, open)).toBe(200);
    for (const who of [people.moderator, people.stranger, owner]) {
      expect(await statusFor(who, path)).toBe(404);
    }
  });
});

describe("how it is answered", () => {
  test("to who may see it: private, asked for again, with a tag, to pages of this origin alone", async () => {
    const { path } = await photoFor(people.author, "followers");
    const answer = await call(people.follower, "GET", path, {
      headers: { origin: "https://elsewhere.example" },
    });
    expect(answer.headers).toMatchObject({
      "cache-control": "private, no-cache",
      "content-type": "image/webp",
      "cross-origin-resource-policy": "same-origin",
      "accept-ranges": "bytes",
    });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    const tag = String(answer.headers["etag"]);
    const known = { headers: { "if-none-match": tag } };
    const again = await call(people.follower, "GET", path, known);
    expect([again.statusCode, again.body, again.headers["cache-control"]]).toEqual([
      304,
      "",
      "private, no-cache",
    ]);
    for (const other of [people.stranger, null]) {
      expect((await call(other, "GET", path, known)).statusCode).toBe(404);
    }
    const head = await call(people.follower, "HEAD", path);
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(String(answer.rawPayload.length));
    const range = { headers: { range: "bytes=4-7" } };
    const part = await call(people.follower, "GET", path, range);
    expect([part.statusCode, part.rawPayload]).toEqual([206, answer.rawPayload.subarray(4, 8)]);
    expect((await call(people.stranger, "GET", path, range)).statusCode).toBe(404);
  });

  test("to everybody else as a key that never was, whatever they ask with", async () => {
    const { path } = await photoFor(people.author, "only-me");
    const never = imageUrl("0".repeat(32), 96);
    for (const caller of [null, people.stranger, people.follower]) {
      for (const method of ["GET", "HEAD"]) {
        for (const headers of [{}, { "if-none-match": "*" }, { range: "bytes=0-3" }]) {
          const [gated, missing] = [
            await call(caller, method, path, { headers }),
            await call(caller, method, never, { headers }),
          ];
          expect(gated.statusCode).toBe(404);
          expect(lasting(gated)).toEqual(lasting(missing));
          expect(gated.body.replace(/"requestId":"[^"]*"/, "")).toBe(
            missing.body.replace(/"requestId":"[^"]*"/, ""),
          );
        }
      }
    }
  });

  test("in every variant", async () => {
    const file = `${on.folder}/large.png`;
    await plain(900, 40, [10, 120, 90]).png().toFile(file);
    const { imageId, picture } = await on.images.upload(people.author, { path: file });
    await on.publish(people.author, {
      pictures: [{ imageId, alt: "" }],
      audience: "close-friends",
    });
    await on.store.add(picture.key, {
      width: 320,
      type: "moving",
      bytes: await bytesOf(picture.key),
    });
    await db.query(sql`update images set moving_width = 320, frames = 2 where id = ${imageId}`);
    await on.jobs.runDue();
    const avif = { headers: { accept: "image/avif,*/*" } };
    for (const name of ["320.webp", "large.webp", "moving.webp"]) {
      const path = `/images/${picture.key}/${name}`;
      for (const [who, status] of [
        [people.friend, 200],
        [people.follower, 404],
        [null, 404],
      ] as const) {
        expect([name, (await call(who, "GET", path, avif)).statusCode]).toEqual([name, status]);
      }
    }
  });

  test("in one statement, whoever asks", async () => {
    const open = await photoFor(people.author, "everyone");
    const gated = await photoFor(people.author, "followers");
    const pass = on.imagePasses.issue(people.follower.id, "of another photo");
    for (const caller of [null, people.stranger, people.follower]) {
      if (caller) await cookieOf(caller);
      for (const path of [open.path, gated.path, `${gated.path}?pass=${pass}`]) {
        sent.length = 0;
        await call(caller, "GET", path);
        expect(sent).toHaveLength(1);
      }
    }
    const answer = await call(null, "GET", open.path);
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, s-maxage=600, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
    });
    expect(answer.headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
  });

  test.runIf(everything)(
    "a photo for followers costs a member at most 1.3 times one for everyone",
    async () => {
      const open = await photoFor(people.author, "everyone");
      const gated = await photoFor(people.author, "followers");
      const cookie = await cookieOf(people.follower);
      const loads = (url: string) => async () => {
        for (let times = 0; times < 40; times += 1) {
          const { statusCode } = await app.inject({ url, headers: { cookie } });
          if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
        }
      };
      const ratio = await cpuRatio({
        hostile: loads(gated.path),
        harmless: loads(open.path),
        rounds: 15,
      });
      expect(ratio).toBeLessThan(1.3);
    },
  );
});

describe("an app, which sends no cookie with a photo", () => {
  type Media = { media_attachments: { url: string; preview_url: string }[] };

  async function addressesFor(headers: object, post: MadePost) {
    const answer = await app.inject({ url: "/api/v1/timelines/home", headers: { ...headers } });
    const statuses = answer.json() as (Media & { url: string })[];
    const status = statuses.find(({ url }) => url.endsWith(`/${post.number}`));
    return status!.media_attachments.flatMap((media) => [media.url, media.preview_url]);
  }

  test("gets an address that opens it, until its token is revoked", async () => {
    const [owner, fan] = [await on.member("Owner"), await on.member("Fan")];
    await on.follows.follow(fan, owner.id);
    const { post } = await photoFor(owner, "followers");
    const connected = await connectedApp(on, fan);
    const other = await connectedApp(on, fan);
    const addresses = await addressesFor(connected.headers, post);
    expect(addresses).toHaveLength(2);
    for (const address of addresses) {
      const answer = await load(address);
      expect(answer.headers).toMatchObject({
        "cache-control": "private, no-cache",
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*",
        "referrer-policy": "no-referrer",
      });
      expect(answer.statusCode).toBe(200);
      expect((await load(address.replace(/\?.*/, ""))).statusCode).toBe(404);
    }
    const [address = ""] = addresses;
    const others = await addressesFor(other.headers, post);
    await on.follows.unfollow(fan, owner.id);
    expect((await load(address)).statusCode).toBe(404);
    await on.follows.follow(fan, owner.id);
    expect((await load(address)).statusCode).toBe(200);
    await on.apps.revoke(
      { clientId: connected.clientId, clientSecret: connected.clientSecret },
      connected.token,
    );
    expect((await load(address)).statusCode).toBe(404);
    expect((await load(others[0]!)).statusCode).toBe(200);
    await on.suspend(fan);
    expect((await load(others[0]!)).statusCode).toBe(404);
  });

  test("a pass is good for one photo and cannot be made up", async () => {
    const one = await photoFor(people.author, "followers");
    const other = await photoFor(people.author, "followers");
    const { headers } = await connectedApp(on, people.follower);
    const [address = ""] = await addressesFor(headers, one.post);
    const { searchParams } = new URL(address);
    const pass = searchParams.get("pass")!;
    expect((await load(`${one.path}?pass=${pass}`)).statusCode).toBe(200);
    const flipped = (pass.startsWith("A") ? "B" : "A") + pass.slice(1);
    const tries = [
      `${other.path}?pass=${pass}`,
      `${one.path}?pass=${flipped}`,
      `${one.path}?pass=${pass.slice(1)}`,
      `${one.path}?pass=${pass}&pass=${pass}`,
      `${one.path}?pass=`,
    ];
    for (const path of tries) expect([path, (await load(path)).statusCode]).toEqual([path, 404]);
  });

  test("a program with the token of a session gets one, too, that ends with the session", async () => {
    const [owner, fan] = [await on.member("Owner"), await on.member("Fan")];
    await on.follows.follow(fan, owner.id);
    const { post, path } = await photoFor(owner, "followers");
    const cookie = await cookieOf(fan);
    const viewer = (await on.identity.sessions.viewerOf({ cookie }))!;
    const authorization = `Bearer ${on.identity.sessions.bearerOf(viewer)}`;
    const url = `/api/posts/${owner.username}/${post.number}`;
    const withToken = await app.inject({ url, headers: { authorization } });
    const [image] = withToken.json().post?.pictures ?? withToken.json().pictures;
    expect(image).toMatchObject({ gated: true, pass: expect.any(String) });
    const withCookie = await app.inject({ url, headers: { cookie } });
    expect(withCookie.body).not.toContain('"pass"');
    const passed = `${imageUrl(image.key, 96)}?pass=${image.pass}`;
    expect((await load(passed)).statusCode).toBe(200);
    expect((await app.inject({ url: path, headers: { authorization } })).statusCode).toBe(200);

    const document = await app.inject({
      url: `/api/users/${owner.email}`,
      headers: { authorization },
    });
    const { uploadImg } = document.json().posts[0];
    expect((await load(uploadImg)).statusCode).toBe(200);
    await on.identity.sessions.signOut({ cookie });
    expect((await load(passed)).statusCode).toBe(404);
    expect((await load(uploadImg)).statusCode).toBe(404);
  });
});
