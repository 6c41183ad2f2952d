import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { apiPath, comment, like, say } from "./acts.ts";
import { send } from "./audiences.ts";
import { albumDescription, linkBy, makeAlbum, makeCollection } from "./guests.ts";
import { befriend, chatPath } from "./chats.ts";
import { query } from "./installation.ts";
import { addMember, follow, post, postSet, type Member } from "./members.ts";
import { plainPhoto } from "./photos.ts";

/** Every screen, by who sees it: addresses, once. */
export type Screens = {
  reader: Member;
  operator: Member;
  of: Record<Viewer, string[]>;
  /** what people wrote on them, and their names */
  words: string[];
};
export type Viewer = "visitor" | "member" | "operator";

/** What people write here. */
const texts = {
  warm: "A few warm words from the",
  aboutHarbour: "The harbour.",
  water: "Water",
  boats: "Boats",
  two: "Two of them.",
  own: "My own.",
  ownWords: "My own words, on paper.",
  day: "What a day that was.",
  remember: "I remember this one.",
  ferry: "Shall we take the ferry?",
  seven: "At seven, by the bridge.",
  same: "Every day the same.",
  app: "Paper Plane",
  album: "Two weeks at Grandmother's house in Donaudampfschifffahrt",
  collection: "Kitchens we could have",
  old: "From the old place.",
  elsewhere: "Ernestine Elsewhere",
  formerly: "elsewhere",
  sought: "nobody at all",
};

/** A member with something on every screen, among people with names as people have them. */
export async function stageEveryScreen(url: string): Promise<Screens> {
  const joined = Date.now() - 2 * 86_400_000;
  const [reader, writer, operator, blocked] = [
    await addMember(url, { firstName: "Margarethe", secondName: "Brandstetter", joined }),
    await addMember(url, { firstName: "Kahurangi", secondName: "Te Rangihiroa", joined }),
    await addMember(url, { firstName: "Opal", secondName: "Oppenheimer", joined }),
    await addMember(url, { firstName: "Bernard", secondName: "Blockwood" }),
  ];
  await query(url, "update accounts set role = 'operator' where id = $1", [operator.id]);
  await befriend(url, reader, writer);
  await follow(url, blocked, reader);
  const tag = `pier${reader.id.slice(-4)}x`;
  const tall = await plainPhoto("#3a6b8c", 1200, 1800);
  const wide = await plainPhoto("#8c6b3a", 2000, 900);
  const words = await post(url, writer, { caption: `${texts.warm} #${tag}.` });
  const photo = await post(url, writer, {
    caption: texts.aboutHarbour,
    alt: texts.water,
    photo: tall,
  });
  const set = [tall, wide].map((one) => ({ photo: one, alt: texts.boats }));
  await postSet(url, writer, { caption: texts.two, photos: set });
  const own = await post(url, reader, { caption: texts.own, photo: wide });
  const ownWords = await post(url, reader, { caption: texts.ownWords });
  for (const path of [photo, own, words]) await like(url, writer, path);
  for (const path of [photo, words]) await send(url, reader, "PUT", `${apiPath(path)}/save`);
  const said = await comment(url, reader, photo, texts.day);
  await comment(url, writer, own, texts.remember);
  await say(url, writer, reader, texts.ferry);
  await say(url, reader, writer, texts.seven);
  await send(url, reader, "PUT", `/api/blocks/${blocked.id}`);
  await bringMessages(url, reader);
  await findTroubles(url);
  await send(url, writer, "POST", "/api/reports", {
    about: { kind: "account", accountId: blocked.id },
    reason: "spam",
    words: texts.same,
  });
  const app = (await (
    await fetch(`${url}/api/v1/apps`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: texts.app, redirect_uris: oob, scopes: "read" }),
    })
  ).json()) as { client_id: string };
  const consent = { client_id: app.client_id, redirect_uri: oob, scope: "read" };
  const consentPath = `/oauth/authorize?response_type=code&${new URLSearchParams(consent)}`;
  const guest = await Promise.all([
    linkBy(url, writer, { kind: "profile", downloads: true }),
    linkBy(url, writer, { kind: "profile", password: "lighthouse" }),
  ]);
  await linkBy(url, reader, { kind: "profile", password: "lighthouse", downloads: true });
  const albumId = await makeAlbum(url, reader, texts.album);
  await send(url, reader, "PUT", `/api/albums/${albumId}/posts/${reader.username}/1`);
  const collection = await makeCollection(url, reader, texts.collection);
  await send(url, reader, "PUT", `${apiPath(photo)}/collections`, {
    collections: [collection],
  });
  guest.push(
    await linkBy(url, reader, {
      kind: "album",
      album: albumId,
      albumAudience: "members",
      downloads: true,
    }),
  );
  const of = addressesOf({
    guest,
    album: `/album/${albumId}`,
    collection,
    reader,
    writer,
    photo,
    words,
    own,
    ownWords,
    said,
    tag,
    consentPath,
  });
  const people = [reader, writer, operator, blocked].flatMap(({ name, username, email }) => [
    name,
    ...name.split(" "),
    username,
    email,
  ]);
  return {
    reader,
    operator,
    of,
    words: [...Object.values(texts), albumDescription, tag, ...people],
  };
}

type Staged = Record<"reader" | "writer", Member> & { guest: string[] } & Record<
    | "photo"
    | "words"
    | "own"
    | "ownWords"
    | "said"
    | "tag"
    | "consentPath"
    | "album"
    | "collection",
    string
  >;

function addressesOf(staged: Staged): Screens["of"] {
  const {
    guest,
    reader,
    writer,
    photo,
    words,
    own,
    ownWords,
    said,
    tag,
    consentPath,
    album,
    collection,
  } = staged;
  const person = `/search/${writer.id}`;
  const lists = [`${photo}/likes`, `/profile/followers/${writer.id}`, "/rules", "/nowhere"];
  const both = [photo, words, person, `${person}?tab=texts`, "/search", `/search?q=%23${tag}`];
  return {
    visitor: [
      ...both,
      ...lists,
      "/",
      "/saved",
      "/signIn",
      "/signUp",
      "/signIn/forgot",
      "/signIn/link",
      "/signIn/link/none",
      "/signIn/code",
      "/signIn/reset/none",
      "/verify/none",
      "/keepEmail/none",
      "/stopEmails/none",
      "/signIn/window",
      "/goodbye",
      "/settings",
      "/operator/first/none",
      ...guest,
      "/l/none",
    ],
    member: [
      ...both,
      ...lists,
      "/",
      `/search?q=${reader.username}`,
      "/search?q=nobody+at+all",
      "/notifications",
      "/follow-requests",
      "/chat",
      chatPath(reader, writer),
      `${chatPath(reader, writer)}/messages/2/delete`,
      "/saved",
      "/saved?tab=texts",
      "/profile",
      "/profile?tab=texts",
      "/profile?tab=albums",
      "/album/new",
      ...["", "/add", "/arrange", "/members", "/edit", "/link", "/delete"].map(
        (page) => album + page,
      ),
      `${own}/album`,
      ...[
        "",
        "/new",
        ...["", "/add", "/edit", "/delete"].map((page) => `/${collection}${page}`),
      ].map((page) => `/saved/collections${page}`),
      `${photo}/collections`,
      "/profile/edit",
      `/profile/following/${reader.id}`,
      own,
      ownWords,
      `${own}/edit`,
      `${own}/audience`,
      `${own}/describe`,
      `${own}/link`,
      "/profile/link",
      `${own}/versions`,
      `${own}/delete`,
      `${photo}/comments/${said}/edit`,
      `${photo}/comments/${said}/delete`,
      "/upload",
      `/upload?tag=%23${tag}`,
      `/follow/${writer.id}`,
      `/block/${writer.id}`,
      `/report?kind=account&accountId=${writer.id}`,
      "/signOut",
      consentPath,
      ...["", "/data", "/data/bring", "/data/messages", `/data/messages/${thread}`].map(settings),
      ...[`/data/messages/${thread}/delete`, "/delete", "/email", "/private"].map(settings),
      ...["/friends", "/links", "/blocked", "/words", "/reports", "/notifications"].map(settings),
      ...["/security", "/security/activity", "/security/apps"].map(settings),
    ],
    operator: [
      ...["", "/people", `/people/${writer.id}`, "/invitations", "/place", "/log"].map(
        (pane) => `/operator${pane}`,
      ),
      "/moderation",
      "/moderation?tab=log",
      "first case",
    ],
  };
}

const oob = "urn:ietf:wg:oauth:2.0:oob";
const settings = (pane: string) => `/settings${pane}`;
const thread = randomUUID();

/** One conversation of an archive, as an import leaves it. */
async function bringMessages(url: string, { id }: Member): Promise<void> {
  await query(
    url,
    `with thread as (
      insert into imported_threads (account_id, id, other_username, other_name, newest_at)
      values ($1, $2, $6, $5, now())
    )
    insert into imported_messages (account_id, thread_id, number, id, sent, body, sent_at)
    values ($1, $2, 1, $3, false, $4, now())`,
    [id, thread, randomUUID(), texts.old, texts.elsewhere, texts.formerly],
  );
}

/** What the checks and the monitor found, in sentences of the server's with values in them. */
async function findTroubles(url: string): Promise<void> {
  const [clock, full, counters] = [
    "The server's clock is 90 s behind this machine's. Let both follow a time server.",
    "No backup was taken: The disk of /mnt/1 is full: make room. There is none yet. Postcard tries again every hour; once that is mended, there is nothing else to do.",
    "All of them match.",
  ];
  const findings = [
    { state: "problem", about: "Clock", text: clock },
    { state: "ok", about: "Counters", text: counters },
  ];
  await query(
    url,
    `insert into doctor_round (started_at, ended_at, findings) values (now(), now(), $1)
    on conflict (is_only) do update set ended_at = now(), findings = excluded.findings`,
    [JSON.stringify(findings)],
  );
  await query(
    url,
    `insert into troubles (id, kind, place, said) values ($1, 'backup', '/mnt/1', $2)
    on conflict do nothing`,
    [randomUUID(), full],
  );
}

/** Loads one of the staged screens. */
export async function openScreen(page: Page, address: string): Promise<void> {
  if (address === "first case") {
    await page.goto("/moderation");
    await page.locator("main a[href^='/moderation/']").first().click();
    await expect(page.locator("main h1")).toBeVisible();
  } else await page.goto(address);
}
