import { expect, test } from "vitest";
import { builtScreens, testApp, type Caller } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";

// Forms of pages, as a browser without scripts sends them.
const { db } = await freshDatabase();
const screens = await builtScreens();
const { features, call } = await testApp(db, {}, { screens });
const writer = await features.member("Wanda Writer");
const reader = await features.member("Rhea Reader");

async function send(
  caller: Caller,
  url: string,
  fields: Record<string, string>,
  more: Record<string, string> = {},
) {
  const { statusCode, headers, body } = await call(caller, "POST", url, {
    payload: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...more },
  });
  return { status: statusCode, to: String(headers.location ?? ""), html: body };
}

const postBy = async (words: string) => {
  const { number } = await features.textPost(writer, words);
  return { number, path: `/post/${writer.username}/${number}` };
};
const seen = async (number: number) => features.posts.get(reader, writer.username, number);

test("a form does what its call does, and leads back to its page", async () => {
  const { number, path } = await postBy("Low tide");
  const like = { intent: "like", returnTo: "/saved" };
  expect(await send(reader, path, like)).toMatchObject({ status: 302, to: "/saved" });
  expect(await seen(number)).toMatchObject({ liked: true, likeCount: 1 });
  await send(reader, path, { ...like, intent: "unlike" });
  expect(await seen(number)).toMatchObject({ liked: false, likeCount: 0 });
});

test("a visitor is led to sign in and back, with the comment they typed", async () => {
  const { number, path } = await postBy("High tide");
  const liked = await send(null, path, { intent: "like", returnTo: path });
  expect(liked.to).toBe(`/signIn?returnTo=${encodeURIComponent(path)}`);
  const commented = await send(null, path, { intent: "comment", body: "Where is it?" });
  expect(decodeURIComponent(commented.to)).toContain(`${path}?draft=Where+is+it`);
  expect(await seen(number)).toMatchObject({ likeCount: 0, commentCount: 0 });
});

test("a call's refusal comes back to the page in its words, with what was typed", async () => {
  const { path } = await postBy("Ebb");
  const body = "o".repeat(1001);
  const asked = await call(reader, "POST", `/api${path.replace("post", "posts")}/comments`, {
    payload: { body },
  });
  const { error } = asked.json<{ error: { fields: { body: string } } }>();
  const { status, html } = await send(reader, path, { intent: "comment", body });
  expect(status).toBe(asked.statusCode);
  expect(html).toContain(error.fields.body);
  expect(html).toContain(`>${body}</textarea>`);
});

test("a comment sent twice appears once, and other words from the same page are another comment", async () => {
  const { number, path } = await postBy("Flood");
  const form = { intent: "comment", clientKey: "of the page", body: "Once" };
  const first = await send(reader, path, form);
  expect(first.to).toMatch(/#comment-/);
  expect((await send(reader, path, form)).to).toBe(first.to);
  expect((await send(reader, path, { ...form, body: "Again" })).to).not.toBe(first.to);
  expect(await seen(number)).toMatchObject({ commentCount: 2 });
});

test("a form is recognised by what it says, not by a key in its request", async () => {
  const [one, other] = [await postBy("Spring tide"), await postBy("Neap tide")];
  for (const { number, path } of [one, other]) {
    const key = { "idempotency-key": "of the browser" };
    const { to } = await send(reader, path, { intent: "comment", body: "Here" }, key);
    expect(to).toMatch(/#comment-/);
    expect(await seen(number)).toMatchObject({ commentCount: 1 });
  }
});

test("the address decides what a form is about, whatever its fields say", async () => {
  const [remaining, deleted] = [await postBy("Stays"), await postBy("Goes")];
  const number = String(remaining.number);
  expect(await send(writer, `${deleted.path}/delete`, { number })).toMatchObject({ status: 302 });
  expect(await seen(remaining.number)).not.toBeNull();
  expect(await seen(deleted.number)).toBeNull();
});

test("what a member may not do, a page without such a form, and an invalid address are refused", async () => {
  const { number, path } = await postBy("Mine");
  expect(await send(reader, `${path}/delete`, {})).toMatchObject({ status: 403 });
  expect(await send(null, `${path}/delete`, {})).toMatchObject({ status: 401 });
  expect(await send(reader, path, { intent: "publish" })).toMatchObject({ status: 400 });
  expect(await send(reader, "/block/nobody", { intent: "block" })).toMatchObject({ status: 404 });
  expect(await seen(number)).not.toBeNull();
});
