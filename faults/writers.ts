import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, type Member, type Server } from "./client.ts";
import { photoOf } from "./photos.ts";

export type Written = { author: string; number: number };

/** A server, and the members who write there. */
export type WriteTarget = Server & { members: Member[]; posts: Written[] };

/** Between two writes of one member, milliseconds. */
const pauseMs = 15;
/** An upload is sent in so many parts. */
const parts = 3;
export const password = "correct horse battery";

type Work = {
  target: WriteTarget;
  member: Member;
  name: string;
  insists: boolean;
  isOver: () => boolean;
};

/**
 * Members who write without end: posts, photos in a form and in parts, comments, messages, likes, follows,
 * bookmarks, and now and then a new account. Every second one repeats what was not acknowledged, with the
 * same key, as the screens do; the others give up, and nobody knows whether their write arrived.
 */
export function startWriters(target: WriteTarget, { count = 4, signUps = true } = {}) {
  const state = { over: false };
  const works = Array.from({ length: count }, async (_, index) => {
    const member = target.members[index % target.members.length] as Member;
    for (let round = 0; !state.over; round += 1) {
      const name = `${randomUUID()} ${index}`;
      const work: Work = {
        target,
        member,
        name,
        insists: index % 2 === 0,
        isOver: () => state.over,
      };
      target.ledger.state.writing += 1;
      await step(work, round, signUps).catch(() => sleep(30));
      target.ledger.state.writing -= 1;
      await sleep(pauseMs);
    }
  });
  return {
    stop: async () => {
      state.over = true;
      await Promise.all(works);
    },
  };
}

async function step(work: Work, round: number, signUps: boolean): Promise<void> {
  if (signUps && round % 24 === 11) return void (await signUp(work.target, work.name));
  const steps = [
    post,
    like,
    comment,
    photoInAForm,
    message,
    follow,
    photoInParts,
    like,
    bookmark,
    comment,
  ];
  await steps[round % steps.length]?.(work, round);
}

/** Does it, repeatedly for members who retry; throws if it was never acknowledged. */
async function insist<T>({ insists, isOver }: Work, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!insists || isOver()) throw error;
      await sleep(40);
    }
  }
}

async function post(work: Work): Promise<void> {
  await publish(work, []);
}

async function photoInAForm(work: Work): Promise<void> {
  const { bytes, sha } = await photoOf(work.name);
  const imageId = await uploading(work, async () => {
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "photo.jpg");
    const answer = await ask(work.target, "POST", "/api/images", { member: work.member, form });
    return (JSON.parse(answer.text) as { data: { id: string } }).data.id;
  });
  await publish(work, [{ imageId, alt: "" }], sha);
}

async function photoInParts(work: Work): Promise<void> {
  const { target, member } = work;
  const { bytes, sha } = await photoOf(work.name);
  const tus = { "tus-resumable": "1.0.0" };
  const begun = await insist(work, () =>
    ask(target, "POST", "/api/uploads", {
      member,
      headers: { ...tus, "upload-length": String(bytes.length) },
    }),
  );
  const url = String(begun.headers["location"]);
  const imageId = await uploading(work, async () => {
    const asked = await ask(target, "HEAD", url, { member, headers: tus });
    let offset = Number(asked.headers["upload-offset"]);
    while (offset < bytes.length) {
      const body = bytes.subarray(offset, offset + Math.ceil(bytes.length / parts));
      const type = "application/offset+octet-stream";
      const headers = { ...tus, "upload-offset": String(offset), "content-type": type };
      // another process may still hold it: then the client asks for its progress
      const answer = await ask(target, "PATCH", url, {
        member,
        body,
        headers,
        expects: [409, 423],
      });
      if (answer.status > 299) throw new Error("held elsewhere");
      offset = Number(answer.headers["upload-offset"]);
    }
    for (;;) {
      const { text } = await ask(target, "GET", url, { member });
      const seen = JSON.parse(text) as { state: string; imageId: string };
      if (seen.state === "ready") return seen.imageId;
      if (seen.state !== "preparing") throw new Error(`the upload is ${seen.state}`);
      if (work.isOver()) throw new Error("over");
      await sleep(20);
    }
  });
  await publish(work, [{ imageId, alt: "" }], sha);
}

async function uploading(work: Work, send: () => Promise<string>): Promise<string> {
  const { state } = work.target.ledger;
  state.uploading += 1;
  return insist(work, send).finally(() => (state.uploading -= 1));
}

async function publish(work: Work, pictures: object[], photo?: string): Promise<void> {
  const { target, member, name: key } = work;
  const deed = target.ledger.intend({ kind: "post", key, ...(photo ? { photo } : {}) });
  await insist(work, async () => {
    const sent = performance.now();
    const { text } = await ask(target, "POST", "/api/posts", {
      member,
      json: { caption: key, pictures },
      headers: { "idempotency-key": key },
    });
    deed.state = "acknowledged";
    target.ledger.acknowledge(sent);
    const { number } = JSON.parse(text) as { number: number };
    target.posts.push({ author: member.username, number });
  });
}

function somePost({ target }: Work, round: number): Written {
  const found = target.posts[(round * 7) % target.posts.length];
  if (!found) throw new Error("nobody has posted yet");
  return found;
}

export const addressOfPost = ({ author, number }: Written) => `/api/posts/${author}/${number}`;

async function comment(work: Work, round: number): Promise<void> {
  await say(work, "comment", `${addressOfPost(somePost(work, round))}/comments`);
}

async function message(work: Work): Promise<void> {
  await say(work, "message", `${chatOf(work.member, besides(work, 2))}/messages`);
}

/**
 * The member so many positions further. Those two apart follow each other for good, so that they can write
 * messages.
 */
function besides(
  { target: { members }, member }: Pick<Work, "target" | "member">,
  distance: number,
) {
  return members[(members.indexOf(member) + distance) % members.length] as Member;
}

/** Whom each member follows for good. */
export async function becomeFriends(target: WriteTarget): Promise<void> {
  for (const member of target.members) {
    const of = besides({ target, member }, 2).username;
    const path = `/api/accounts/${of}/follow`;
    await setSwitch({ target, member, isOver: () => false }, { kind: "follow", of, path });
  }
}

export const chatOf = (one: Member, other: Member) =>
  `/api/chats/${[one.username, other.username].sort().join(".")}`;

async function say(work: Work, kind: "comment" | "message", path: string): Promise<void> {
  const { target, member, name: key } = work;
  const deed = target.ledger.intend({ kind, key });
  await insist(work, async () => {
    const sent = performance.now();
    await ask(target, "POST", path, {
      member,
      json: { body: key },
      headers: { "idempotency-key": key },
    });
    deed.state = "acknowledged";
    target.ledger.acknowledge(sent);
  });
}

const like = async (work: Work, round: number) => toggle(work, "like", round);
const bookmark = async (work: Work, round: number) => toggle(work, "save", round);

async function toggle(work: Work, kind: "like" | "save", round: number): Promise<void> {
  const path = addressOfPost(somePost(work, round));
  await setSwitch(work, { kind, of: path.slice("/api/posts/".length), path: `${path}/${kind}` });
}

async function follow(work: Work): Promise<void> {
  const of = besides(work, 1).username;
  await setSwitch(work, { kind: "follow", of, path: `/api/accounts/${of}/follow` });
}

/** Toggles it, and repeats that until it is acknowledged: a late arrival then changes nothing. */
export async function setSwitch(
  work: Pick<Work, "target" | "member" | "isOver">,
  { kind, of, path }: { kind: "like" | "follow" | "save"; of: string; path: string },
): Promise<void> {
  const { target, member } = work;
  const one = target.ledger.switchOf({ kind, by: member.username, of });
  // A doubtful request may still arrive: it is sent once more.
  const wanted = one.on === null ? true : !one.on;
  one.on = null;
  await insist({ ...work, name: "", insists: true }, async () => {
    const sent = performance.now();
    await ask(target, wanted ? "PUT" : "DELETE", path, { member });
    one.on = wanted;
    target.ledger.acknowledge(sent);
  });
}

/** A new member with an avatar, as the form sends it; null if that was not acknowledged. */
export async function signUp(target: WriteTarget, name: string): Promise<Member> {
  const email = `${name.replaceAll(/[^a-z0-9]/g, "")}@example.org`;
  const form = new FormData();
  const photo = await photoOf(name);
  form.set("email", email);
  form.set("password", password);
  form.set("firstName", "Ada");
  form.set("secondName", "Lovelace");
  form.set("picture", new Blob([new Uint8Array(photo.bytes)], { type: "image/jpeg" }), "ada.jpg");
  const deed = target.ledger.intend({ kind: "sign-up", key: email });
  const sent = performance.now();
  const answer = await ask(target, "POST", "/signUp", { form, expects: [302, 303] });
  const cookies = [answer.headers["set-cookie"] ?? []].flat().map((line) => line.split(";", 1)[0]);
  if (cookies.length === 0) {
    target.ledger.isWrong(`POST /signUp: ${answer.status} without a session`);
    throw new Error("no session");
  }
  deed.state = "acknowledged";
  target.ledger.acknowledge(sent);
  const member = { email, username: "", cookie: cookies.join("; ") };
  const session = await ask(target, "GET", "/api/session", { member });
  const { user } = JSON.parse(session.text) as { user: { username: string } };
  return { ...member, username: user.username };
}
