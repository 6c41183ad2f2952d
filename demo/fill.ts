import pLimit from "p-limit";
import { chatIdOf } from "#shared/chat.ts";
import { isRefusal } from "#shared/errors.ts";
import type { MessageView, Viewer } from "#shared/views.ts";
import { type Conversation, conversationsOf, type DemoMessage } from "./conversations.ts";
import { type PaintedFile, withPainted } from "./photos/painted.ts";
import { followTest, type Reaction, reactionsTo } from "./reactions.ts";
import { type Member, createAccounts } from "./create-accounts.ts";
import { atOnce, type Tools } from "./tools.ts";
import type { DemoAccount, DemoPlan, DemoPost } from "./plan.ts";

type Published = { post: DemoPost; authorId: string; id: string };

/**
 * Makes everything of a town that is missing, in an order that may be interrupted anywhere: accounts, who
 * follows whom, posts from the oldest on, the reactions to them, and conversations. Every step has its own
 * key (an email, a clientKey, a pair), so doing it again changes nothing. What is refused because of a block
 * or a deleted account is skipped and counted.
 */
export async function fillDemo(plan: DemoPlan, tools: Tools): Promise<void> {
  const { members, start } = await createAccounts(plan, tools);
  await connect(plan, tools, members, start);
  const published = await publishAll(plan, tools, members, start);
  await react(plan, tools, { members, published, start });
  await converse(conversationsOf(plan), tools, members, start);
}

async function connect(
  plan: DemoPlan,
  tools: Tools,
  members: Member[],
  start: number,
): Promise<void> {
  const { features, clock, progress, skipped } = tools;
  const count = progress.begin("Follows", plan.follows.length);
  await Promise.all(
    plan.follows.map(({ follower, followee, time }) =>
      atOnce(async () => {
        const [from, to] = [members[follower], members[followee]];
        if (from && to) {
          await skipped.unlessRefused("follow", () =>
            clock.at(start + time, () => features.follows.follow(from, to.id)),
          );
        } else skipped.count("follow");
        count();
      }),
    ),
  );
}

/**
 * Publishes from the oldest to the newest, so that each author's numbers follow the time, while the photos of
 * the next posts are painted and stored.
 */
async function publishAll(
  plan: DemoPlan,
  tools: Tools,
  members: Member[],
  start: number,
): Promise<Published[]> {
  const { features, clock, progress, skipped } = tools;
  const count = progress.begin("Posts", plan.posts.length);
  const ahead = pLimit(4);
  const prepared = plan.posts.map((post) => {
    const author = members[post.author];
    return author ? ahead(() => prepare(post, tools, author)) : null;
  });
  // A failure is thrown below, when it is this post's turn.
  for (const one of prepared) one?.catch(() => ahead.clearQueue());

  const published: Published[] = [];
  for (const [index, post] of plan.posts.entries()) {
    const viewer = members[post.author];
    const ready = await prepared[index];
    if (viewer && ready) {
      const { zone: timeZone } = plan.people[post.author] as DemoAccount;
      const { caption, key: clientKey } = post;
      const { pictures } = ready;
      const { id } =
        ready.known ??
        (await clock.at(start + post.time, () =>
          features.posts.publish(viewer, { caption, pictures, timeZone, clientKey }),
        ));
      published.push({ post, authorId: viewer.id, id });
    } else skipped.count("post");
    count();
  }
  return published;
}

/** Finds the post, or else stores the photos that it needs. */
async function prepare(post: DemoPost, tools: Tools, viewer: Viewer) {
  const { features } = tools;
  const known = await features.posts.findSubmitted(viewer, post.key);
  const pictures: { imageId: string; alt: string }[] = [];
  if (known) return { known, pictures };
  for (const { subject, width, height, alt, keys } of post.pictures) {
    // Uploaded now, not in the past: an unused image is swept an hour from now.
    const { imageId } = await withPainted({ keys, subject, width, height }, tools, (file) =>
      features.images.upload(viewer, file),
    );
    pictures.push({ imageId, alt });
  }
  return { known, pictures };
}

async function react(
  plan: DemoPlan,
  tools: Tools,
  done: { members: Member[]; published: Published[]; start: number },
): Promise<void> {
  const { members, published, start } = done;
  const { clock, progress, skipped } = tools;
  const follows = followTest(plan);
  const all = published.map(({ post, authorId, id: postId }) => ({
    post: { authorId, postId },
    list: reactionsTo(post, plan, follows),
  }));
  const count = progress.begin(
    "Likes, comments, saves",
    all.reduce((sum, { list }) => sum + list.length, 0),
  );
  await Promise.all(
    all.map(({ post, list }) =>
      atOnce(async () => {
        for (const reaction of list) {
          const viewer = members[reaction.person];
          if (viewer) {
            await skipped.unlessRefused("reaction", () =>
              clock.at(start + reaction.time, () => reactTo(post, viewer, reaction, tools)),
            );
          } else skipped.count("reaction");
          count();
        }
      }),
    ),
  );
}

async function reactTo(
  post: { authorId: string; postId: string },
  viewer: Viewer,
  reaction: Reaction,
  { features }: Tools,
): Promise<void> {
  if (reaction.kind === "comment") {
    await features.comments.add(viewer, post, reaction.body, reaction.key);
  } else if (reaction.kind === "save") await features.bookmarks.save(viewer, post);
  else await features.likes.like(viewer, post);
}

/** One conversation in its order, several conversations at once. */
async function converse(
  conversations: readonly Conversation[],
  tools: Tools,
  members: Member[],
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

type Talking = { tools: Tools; members: Member[]; start: number; count: () => void };

async function talk(
  { people, messages, read }: Conversation,
  { tools, members, start, count }: Talking,
): Promise<void> {
  const { features, clock, skipped } = tools;
  const [one, two] = people.map((index) => members[index] ?? null) as [Member, Member];
  const known = one && two && (await writtenBetween(one, two, tools));
  if (!known) {
    skipped.count("message", messages.length);
    for (const _ of messages) count();
    return;
  }
  const chatId = chatIdOf(one, two);
  const sent: (MessageView | null)[] = [];
  for (const { key: clientKey, from, time, body, photo } of messages) {
    const viewer = from === people[0] ? one : two;
    const message =
      known.get(clientKey) ??
      (await skipped.unlessRefused("message", () =>
        withPhoto(photo, tools, (painted) =>
          clock.at(start + time, () =>
            features.chat.send(viewer, chatId, { body, picture: painted, clientKey }),
          ),
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

/** The message sent before with this key; null if the two cannot see each other. */
async function writtenBetween(one: Viewer, two: Viewer, { features }: Tools) {
  try {
    const { messages } = await features.chat.whole(one, chatIdOf(one, two), 1000);
    return new Map(messages.map((message) => [message.clientKey, message]));
  } catch (error) {
    if (isRefusal(error) && error.code === "not-found") return null;
    throw error;
  }
}

/** Paints a photo for as long as it takes to send it. */
async function withPhoto<Sent>(
  photo: DemoMessage["photo"],
  tools: Tools,
  send: (picture: PaintedFile | null) => Promise<Sent>,
): Promise<Sent> {
  if (!photo) return send(null);
  return withPainted({ ...photo, width: 960, height: 720 }, tools, send);
}
