import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { timeOf } from "#server/db/ids.ts";
import { chatIdOf } from "#shared/chat.ts";
import { isRefusal } from "#shared/errors.ts";
import { joinNames } from "#shared/text.ts";
import type { MessageView, Viewer } from "#shared/views.ts";
import { type Conversation, conversationsOf, type TownMessage } from "./conversations.ts";
import type { Installation } from "./installation.ts";
import type { Order, Painter } from "./pictures/painter.ts";
import { subjectOf } from "./pictures/subjects.ts";
import type { Progress } from "./progress.ts";
import { randomOf } from "./random.ts";
import { followTest, reactionsTo } from "./reactions.ts";
import { type Inhabitant, SPAN, type Town, type TownPost } from "./town.ts";

export type Tools = Installation & {
  painter: Painter;
  progress: Progress;
  /** where pictures lie on their way from the painter to the features */
  folder: string;
};

type Published = { post: TownPost; id: string };

/** Things done at once: enough to keep PostgreSQL's disk busy, few for its connections. */
const atOnce = pLimit(4);

/**
 * Makes everything of a town that is not there yet, in an order that may break off anywhere:
 * people, who follows whom, posts from the oldest on, what people did under them, and what they
 * wrote to one another. Every step has a key of its own (an email, a clientKey, a pair), so doing it
 * again changes nothing.
 */
export async function fillTown(town: Town, tools: Tools): Promise<void> {
  const members = await settle(town, tools);
  const start = timeOf((members[0] as Viewer).id);
  await connect(town, tools, members, start);
  const published = await publishAll(town, tools, members, start);
  await react(town, tools, { members, published, start });
  await converse(conversationsOf(town), tools, members, start);
}

/**
 * Signs up who is missing. The town's first day is the moment in the id of its first inhabitant, so
 * that a town finished tomorrow has the same calendar.
 */
async function settle(town: Town, tools: Tools): Promise<Viewer[]> {
  const { progress } = tools;
  const [first, ...others] = town.people;
  if (!first) throw new Error("A town needs people.");
  const count = progress.begin("People", town.people.length);
  const founder = await settleOne(first, Date.now() - SPAN, town, tools);
  count();
  const start = timeOf(founder.id);
  const rest = others.map((person) =>
    atOnce(async () => {
      const member = await settleOne(person, start + person.joined, town, tools);
      count();
      return member;
    }),
  );
  return [founder, ...(await Promise.all(rest))];
}

async function settleOne(
  person: Inhabitant,
  time: number,
  town: Town,
  tools: Tools,
): Promise<Viewer> {
  const { accounts, profiles } = tools.features;
  const known = await accounts.findByAddress(null, person.email);
  const viewer = known ? viewerFrom(person, known) : await signUp(person, time, town, tools);
  // A run that was killed right after the sign-up left this to us.
  const profile = await profiles.get(viewer, viewer.id);
  const { first: firstName, second: secondName, bio } = person;
  if (profile?.bio === "" && bio !== "")
    await profiles.edit(viewer, { firstName, secondName, bio });
  return viewer;
}

async function signUp(person: Inhabitant, time: number, town: Town, tools: Tools): Promise<Viewer> {
  const { features, clock, secretFor } = tools;
  const picture = await avatarOf(person, town, tools);
  // Nobody signs in as the others, so nobody knows their passwords; hashing one costs 35 ms.
  const password =
    person.index < 2 ? secretFor(person.email) : randomBytes(24).toString("base64url");
  const client = { ip: "127.0.0.1", userAgent: "npm run demo", cookieHeader: "" };
  const { first: firstName, second: secondName, email } = person;
  try {
    const { viewer, cookies } = await clock.at(time, () =>
      features.identity.signUp({ email, password, firstName, secondName, picture, client }),
    );
    const cookie = cookies.map((set) => set.split(";", 1)[0]).join("; ");
    await features.identity.signOut({ cookie });
    return viewer;
  } catch (error) {
    if (!isRefusal(error) || error.code !== "email-in-use") throw error;
    const problem = `${email} has an account already, but it was deleted, suspended or hides from its email`;
    throw new Error(`${problem}: choose another --seed.`, { cause: error });
  } finally {
    await rm(picture.path, { force: true });
  }
}

/** The features ask who acts, not by which session. */
function viewerFrom(person: Inhabitant, account: { id: string; username: string }): Viewer {
  const { first: firstName, second: secondName, email } = person;
  const name = joinNames(firstName, secondName) || account.username;
  return {
    ...account,
    name,
    avatar: null,
    emailVerified: true,
    sessionId: "",
    email,
    firstName,
    secondName,
  };
}

/** A drawn face; some people prefer a picture that they took. */
async function avatarOf(person: Inhabitant, { seed }: Town, tools: Tools) {
  const random = randomOf(seed, "avatar", person.index);
  const keys = [seed, "portrait", person.index];
  if (random.chance(0.87)) return painted({ keys, portrait: person.look }, tools);
  const subject = subjectOf(person.tastes, random);
  return painted({ keys, subject, width: 640, height: 640 }, tools);
}

async function painted(order: Order, { painter, folder }: Tools) {
  const jpeg = await painter.paint(order);
  const filename = `${order.keys.join("-")}.jpg`;
  const path = join(folder, filename);
  await writeFile(path, jpeg);
  return { path, filename, bytes: jpeg.length, mediaType: "image/jpeg" };
}

async function connect(town: Town, tools: Tools, members: Viewer[], start: number): Promise<void> {
  const { features, clock, progress } = tools;
  const count = progress.begin("Follows", town.follows.length);
  await Promise.all(
    town.follows.map(({ follower, followee, time }) =>
      atOnce(async () => {
        const [from, to] = [members[follower] as Viewer, members[followee] as Viewer];
        await clock.at(start + time, () => features.follows.follow(from, to.id));
        count();
      }),
    ),
  );
}

/**
 * Publishes from the oldest to the newest, so that everybody's numbers follow the time, while the
 * pictures of the next posts are painted and stored.
 */
async function publishAll(
  town: Town,
  tools: Tools,
  members: Viewer[],
  start: number,
): Promise<Published[]> {
  const { features, clock, progress } = tools;
  const count = progress.begin("Posts", town.posts.length);
  const ahead = pLimit(4);
  const prepared = town.posts.map((post) =>
    ahead(() => prepare(post, tools, members[post.author] as Viewer)),
  );
  // A failure is thrown below, when its turn comes.
  for (const one of prepared) one.catch(() => ahead.clearQueue());

  const published: Published[] = [];
  for (const [index, post] of town.posts.entries()) {
    const viewer = members[post.author] as Viewer;
    const ready = await (prepared[index] as ReturnType<typeof prepare>);
    const { zone: timeZone } = town.people[post.author] as Inhabitant;
    const { caption, key: clientKey } = post;
    const { id } =
      ready.known ??
      (await clock.at(start + post.time, () =>
        features.posts.publish(viewer, { caption, pictures: ready.pictures, timeZone, clientKey }),
      ));
    published.push({ post, id });
    count();
  }
  return published;
}

/** Finds the post, or else stores the pictures that it needs. */
async function prepare(post: TownPost, tools: Tools, viewer: Viewer) {
  const { features } = tools;
  const known = await features.posts.findSubmitted(viewer, post.key);
  const pictures: { imageId: string; alt: string }[] = [];
  if (known) return { known, pictures };
  for (const { subject, width, height, alt, keys } of post.pictures) {
    const file = await painted({ keys, subject, width, height }, tools);
    try {
      // Uploaded now, not in the past: what is never used is swept an hour from now.
      const { imageId } = await features.images.upload(viewer, file);
      pictures.push({ imageId, alt });
    } finally {
      await rm(file.path, { force: true });
    }
  }
  return { known, pictures };
}

async function react(
  town: Town,
  { features, clock, progress }: Tools,
  done: { members: Viewer[]; published: Published[]; start: number },
): Promise<void> {
  const { members, published, start } = done;
  const follows = followTest(town);
  const all = published.map(({ post, id }) => ({
    post,
    id,
    list: reactionsTo(post, town, follows),
  }));
  const count = progress.begin(
    "Likes, comments, saves",
    all.reduce((sum, { list }) => sum + list.length, 0),
  );
  await Promise.all(
    all.map(({ post, id, list }) =>
      atOnce(async () => {
        const ref = { authorId: (members[post.author] as Viewer).id, postId: id };
        for (const reaction of list) {
          const viewer = members[reaction.person] as Viewer;
          await clock.at(start + reaction.time, async () => {
            if (reaction.kind === "comment") {
              await features.comments.add(viewer, ref, reaction.body, reaction.key);
            } else if (reaction.kind === "save") await features.bookmarks.save(viewer, ref);
            else await features.likes.like(viewer, ref);
          });
          count();
        }
      }),
    ),
  );
}

/** One conversation after its order, several conversations at once. */
async function converse(
  conversations: readonly Conversation[],
  tools: Tools,
  members: Viewer[],
  start: number,
): Promise<void> {
  const total = conversations.reduce((sum, { messages }) => sum + messages.length, 0);
  const count = tools.progress.begin("Messages", total);
  await Promise.all(
    conversations.map((conversation) =>
      atOnce(() => talk(conversation, { tools, members, start, count })),
    ),
  );
}

type Talking = { tools: Tools; members: Viewer[]; start: number; count: () => void };

async function talk(
  { people, messages, read }: Conversation,
  { tools, members, start, count }: Talking,
): Promise<void> {
  const { features, clock } = tools;
  const [one, two] = people.map((index) => members[index] as Viewer) as [Viewer, Viewer];
  const chatId = chatIdOf(one, two);
  const before = await features.chat.whole(one, chatId, 1000);
  const known = new Map(before.messages.map((message) => [message.clientKey, message]));
  const sent: MessageView[] = [];
  for (const { key: clientKey, from, time, body, photo } of messages) {
    const viewer = from === people[0] ? one : two;
    const message =
      known.get(clientKey) ??
      (await withPhoto(photo, tools, (picture) =>
        clock.at(start + time, () =>
          features.chat.send(viewer, chatId, { body, picture, clientKey }),
        ),
      ));
    sent.push(message);
    count();
  }
  for (const [viewer, seen] of [
    [one, sent[read[0] - 1]],
    [two, sent[read[1] - 1]],
  ] as const) {
    if (seen) await features.chat.markRead(viewer, seen.conversationId, seen.seq);
  }
}

/** Paints a photo for as long as it takes to send it. */
async function withPhoto<Sent>(
  photo: TownMessage["photo"],
  tools: Tools,
  send: (picture: Awaited<ReturnType<typeof painted>> | null) => Promise<Sent>,
): Promise<Sent> {
  if (!photo) return send(null);
  const file = await painted({ ...photo, width: 960, height: 720 }, tools);
  try {
    return await send(file);
  } finally {
    await rm(file.path, { force: true });
  }
}
