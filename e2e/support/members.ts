import { randomUUID, randomUUIDv7 } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { idAt } from "../../server/platform/db/ids.ts";
import { hashPassword } from "../../server/features/identity/passwords.ts";
import { searchName } from "../../shared/text.ts";
import { installationAt, query, sessionCookie } from "./installation.ts";
import { plainPhoto, type Photo } from "./photos.ts";

export type Member = {
  id: string;
  username: string;
  name: string;
  email: string;
  password: string;
  /** the session, as a Cookie header */
  cookie: string;
};

type Names = { firstName: string; secondName: string };
/** `joined`: another time than now, epoch milliseconds */
type Added = Names & { joined?: number };

/** The same for everybody: hashing one is expensive on purpose. */
const password = "correct horse battery 9";
let passwordHash: Promise<string> | undefined;

/**
 * A member who signed up before the story begins, with a session: their rows, written straight into the
 * database of the server at `url`, and an avatar that they uploaded.
 */
export async function addMember(url: string, names: Added): Promise<Member> {
  const { firstName, secondName } = names;
  const name = `${firstName} ${secondName}`.trim();
  const id = names.joined === undefined ? randomUUIDv7() : idAt(names.joined);
  const avatar = await plainPhoto(colourOf(firstName));
  const word = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  const username = `${word.slice(0, 20)}_${randomUUID().slice(0, 8)}`;
  // A letter at its start: searches in capitals compare the first of them.
  const email = `mail-${randomUUID()}@example.org`;
  const { token, cookie } = sessionCookie(installationAt(url));
  await query(
    url,
    `with account as (
      insert into accounts
        (id, username, email, email_as_typed, first_name, second_name, full_name, search_name)
      values ($1, $2, $3, $3, $4, $5, $6, $7) returning id
    ), name as (
      insert into usernames (username, account_id) select $2, id from account
    ), counters as (
      insert into account_counters (account_id) select id from account
    ), credential as (
      insert into credentials (id, account_id, provider_id, subject, password)
      select $8::uuid, id, 'credential', id::text, $9 from account
    )
    insert into sessions (id, token_hash, account_id, expires_at)
    select $10::uuid, sha256(convert_to($11, 'UTF8')), id, now() + interval '30 days' from account`,
    [
      id,
      username,
      email,
      firstName,
      secondName,
      name,
      searchName(name, username),
      randomUUIDv7(),
      await (passwordHash ??= hashPassword(password)),
      randomUUIDv7(),
      token,
    ],
  );
  const member = { id, username, name, email, password, cookie };
  await query(
    url,
    `with used as (
      update images set claimed_at = now() where account_id = $1 and id = $2
    )
    update accounts set avatar_image_id = $2 where id = $1`,
    [id, await upload(url, member, avatar)],
  );
  return member;
}

/** Signs up with the request that the form sends; stories that aren't about it use addMember. */
export async function signUp(
  url: string,
  names: Names,
  photo?: Photo,
  email = `${randomUUID()}@example.org`,
): Promise<Member> {
  const { firstName, secondName } = names;
  const avatar = photo ?? (await plainPhoto(colourOf(firstName)));
  const form = new FormData();
  for (const [name, value] of Object.entries({ email, password, ...names })) form.set(name, value);
  form.set("picture", new Blob([new Uint8Array(avatar.buffer)]), avatar.name);
  const answer = await fetch(`${url}/signUp`, {
    method: "POST",
    headers: { Origin: url },
    body: form,
  });
  const cookie = sessionOf(answer);
  if (!cookie) throw new Error(`Sign-up answered ${answer.status} without a session`);
  const profile = await (await fetch(`${url}/profile`, { headers: { cookie } })).text();
  const id = /\/profile\/followers\/([0-9a-f-]{36})/.exec(profile)?.[1] ?? "";
  const username = />@(?:<!-- -->)?([a-z0-9_]+)</.exec(profile)?.[1] ?? "";
  if (!id || !username) throw new Error("The new member's profile names no id or username");
  return { id, username, name: `${firstName} ${secondName}`.trim(), email, password, cookie };
}

function sessionOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .join("; ");
}

/** Gives a browser the session of a member. */
export async function enter(context: BrowserContext, url: string, member: Member): Promise<void> {
  const cookies = member.cookie.split("; ").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return { name, value: value.join("="), url };
  });
  await context.addCookies(cookies);
}

/** Publishes a post with one photo or none. */
export function post(
  url: string,
  member: Member,
  { caption = "", alt = "", photo }: { caption?: string; alt?: string; photo?: Photo },
): Promise<string> {
  return postSet(url, member, { caption, photos: photo ? [{ photo, alt }] : [] });
}

export async function upload(url: string, member: Member, photo: Photo): Promise<string> {
  const headers = { Origin: url, cookie: member.cookie };
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(photo.buffer)]), photo.name);
  const answer = await fetch(`${url}/api/images`, { method: "POST", headers, body: form });
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

type Described = { photo: Photo; alt: string };

/** Publishes photos and words as the composer does. */
export async function postSet(
  url: string,
  member: Member,
  { caption = "", photos, ...choices }: { caption?: string; photos: Described[]; warning?: string },
): Promise<string> {
  const pictures: { imageId: string; alt: string }[] = [];
  for (const { photo, alt } of photos) {
    pictures.push({ imageId: await upload(url, member, photo), alt });
  }
  const answer = await fetch(`${url}/api/posts`, {
    method: "POST",
    headers: { Origin: url, cookie: member.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ caption, pictures, ...choices }),
  });
  if (!answer.ok) throw new Error(`Publishing answered ${answer.status}: ${await answer.text()}`);
  const { number } = (await answer.json()) as { number: number };
  return `/post/${member.username}/${number}`;
}

export async function follow(url: string, follower: Member, followed: Member): Promise<void> {
  const answer = await fetch(`${url}/api/accounts/${followed.username}/follow`, {
    method: "PUT",
    headers: { Origin: url, cookie: follower.cookie },
  });
  if (!answer.ok) throw new Error(`Following answered ${answer.status}`);
}

function colourOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return `hsl(${sum}, 55%, 45%)`;
}
