import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { builtScreens, testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const screens = await builtScreens();
const { app, features, call } = await testApp(db, {}, { screens });
const ours = "http://localhost:3000";
let ada: Viewer;
let bob: Viewer;
let bobs: { authorization: string };

beforeAll(async () => {
  [ada, bob] = [await features.member("Ada"), await features.member("Bob")];
  bobs = (await connectedApp(features, bob)).headers;
});

const json = async (url: string) => (await app.inject({ url, headers: bobs })).json();
/** Where an address leads, or the status of its answer. */
async function leads(who: Viewer | null, url: string) {
  const { statusCode, headers } = await call(who, "GET", url.replace(ours, ""));
  return headers.location ?? statusCode;
}
const finger = (resource: string) =>
  app.inject({ url: `/.well-known/webfinger?resource=${encodeURIComponent(resource)}` });

describe("the uri of a person, a post and a comment", () => {
  test("stays as it is when a username changes, and leads to the page of now", async () => {
    const post = await features.textPost(ada);
    const { id: commentId } = await features.comments.add(bob, post, "Fine words", null);
    const uris = async () => {
      const [account, status, comment] = [
        await json(`/api/v1/accounts/${decimalOf(ada.id)}`),
        await json(`/api/v1/statuses/${decimalOf(post.postId)}`),
        await json(`/api/v1/statuses/${decimalOf(commentId)}`),
      ];
      expect(status.account.uri).toBe(account.uri);
      return [account.uri, status.uri, comment.uri];
    };
    const before = await uris();
    expect(before).toEqual([
      `${ours}/users/${ada.id}`,
      `${ours}/posts/${post.postId}`,
      `${ours}/posts/${commentId}`,
    ]);
    const username = `renamed${ada.id.slice(-6)}`;
    await features.settings.changeUsername(ada, username);
    expect(await uris()).toEqual(before);
    const place = `/post/${username}/${post.number}`;
    for (const who of [null, bob]) {
      expect(await Promise.all(before.map((uri) => leads(who, uri)))).toEqual([
        `/search/${ada.id}`,
        place,
        `${place}?comment=${commentId}#comment-${commentId}`,
      ]);
    }
    expect(await leads(null, `/posts/${post.postId.toUpperCase()}`)).toBe(place);
    const found = await json(`/api/v2/search?resolve=true&q=${encodeURIComponent(before[1])}`);
    expect(found.statuses).toMatchObject([{ id: decimalOf(post.postId) }]);
    const people = await json(`/api/v2/search?resolve=true&q=${encodeURIComponent(before[0])}`);
    expect(people.accounts).toMatchObject([{ id: decimalOf(ada.id), username }]);
    const reply = await json(`/api/v2/search?resolve=true&q=${encodeURIComponent(before[2])}`);
    expect(reply.statuses).toMatchObject([{ id: decimalOf(commentId) }]);
  });

  test("is not found for who may not see the post, as one that never was", async () => {
    const narrow = await features.textPost(ada, "For one");
    await features.posts.edit(ada, ada.username, narrow.number, {
      version: 0,
      audience: "only-me",
    });
    const at = `/posts/${narrow.postId}`;
    expect(await leads(ada, at)).toMatch(/^\/post\//);
    expect([await leads(bob, at), await leads(null, at)]).toEqual([404, 404]);
    const eve = await features.member("Eve");
    const open = await features.textPost(eve);
    await features.blocks.block(eve, bob.id);
    for (const path of [`/users/${eve.id}`, `/posts/${open.postId}`]) {
      expect(await leads(bob, path)).toBe(404);
      expect(await leads(null, path)).toMatch(/^\//);
    }
    await query(db, "update accounts set suspended_at = now() where id = $1", [eve.id]);
    for (const path of [`/users/${eve.id}`, `/posts/${open.postId}`])
      expect(await leads(null, path)).toBe(404);
    for (const path of ["/users/x", "/posts/1", `/posts/${ada.id}`, `/users/${open.postId}`])
      expect(await leads(null, path), path).toBe(404);
    const own = { subject: `acct:${eve.username}@localhost:3000` };
    expect((await finger(own.subject)).statusCode).toBe(404);
  });
});

describe("who an address means", () => {
  test("is said by a username of now or before, and by the addresses of a profile", async () => {
    const cleo = await features.member("Cleo");
    const before = cleo.username;
    const username = `cleo${cleo.id.slice(-6)}`;
    await features.settings.changeUsername(cleo, username);
    for (const resource of [
      `acct:${username}@localhost:3000`,
      `acct:${before.toUpperCase()}@LOCALHOST:3000`,
      `${ours}/users/${cleo.id}`,
      `${ours}/search/${cleo.id}`,
      `${ours}/search/${username}`,
    ]) {
      const answer = await finger(resource);
      expect(answer.headers["content-type"], resource).toBe("application/jrd+json; charset=utf-8");
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      expect(answer.json(), resource).toMatchObject({
        subject: `acct:${username}@localhost:3000`,
        aliases: expect.arrayContaining([`${ours}/users/${cleo.id}`]),
        links: expect.arrayContaining([
          expect.objectContaining({ rel: "http://webfinger.net/rel/profile-page" }),
        ]),
      });
    }
  });

  test("is nobody for emails, other hosts and what is no account", async () => {
    for (const resource of [
      `acct:${ada.email}`,
      ada.email,
      `acct:${ada.email}@localhost:3000`,
      `acct:${bob.username}@elsewhere.example`,
      `https://elsewhere.example/users/${bob.id}`,
      `${ours}/post/${bob.username}/1`,
      `${ours}/`,
      "acct:nobody_here@localhost:3000",
      "acct:@",
    ])
      expect((await finger(resource)).statusCode, resource).toBe(404);
    expect((await app.inject({ url: "/.well-known/webfinger" })).statusCode).toBe(400);
  });

  test("is asked where host-meta says", async () => {
    const { headers, body } = await app.inject({ url: "/.well-known/host-meta" });
    expect(headers["content-type"]).toBe("application/xrd+xml; charset=utf-8");
    expect(body).toContain(
      `<Link rel="lrdd" template="${ours}/.well-known/webfinger?resource={uri}"/>`,
    );
  });
});
