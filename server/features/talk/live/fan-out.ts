import type { Database } from "#server/platform/db/database.ts";
import type { Hint } from "#server/features/change-hint.ts";
import { rightsOf } from "#server/features/talk/live/app-events.queries.ts";
import { event } from "#server/features/talk/live/frames.ts";
import { connectedFollowers } from "#server/features/talk/live/connected-followers.ts";
import * as queries from "#server/features/talk/live/live.queries.ts";
import {
  postsOfAlbum,
  sawInAlbum,
  type Narrowed,
} from "#server/features/talk/live/narrowed-albums.queries.ts";
import { createPacing } from "#server/features/talk/live/pacing.ts";
import type { createStreams, Stream } from "#server/features/talk/live/streams.ts";
import { sendUnread } from "#server/features/talk/live/unread.ts";
import type { Audience } from "#shared/posts.ts";

/** A stream that shows a post. */
type Showing = { post: string; stream: Stream };

/** A new post; without its id: some of its author's. */
type Posted = { authorId: string; postId?: string };
/** A post, and for whom it was before. */
type Moved = { authorId: string; postId: string; audience: Audience };

/** Changed comments of one post that one event names. */
const mostComments = 10;

type Streams = ReturnType<typeof createStreams>;
type Deps = { db: Database; streams: Streams };

/**
 * What hints name, read with the rights of its receivers and sent to their streams: one statement
 * of each kind, however many streams there are.
 */
export function createFanOut(deps: Deps) {
  const { db, streams } = deps;
  const pacing = createPacing((accountId, events) => streams.sendTo(accountId, ...events));

  /**
   * New posts, to those of their authors' followers who are connected and may see them. One that another
   * release does not name is for all followers.
   */
  async function sendNewPosts(posted: readonly Posted[]): Promise<void> {
    const authors = [...new Set(posted.map(({ authorId }) => authorId))];
    const followers = await connectedFollowers(db, authors, streams);
    const all = followers.flatMap(({ authorId, accountId }) =>
      posted
        .filter((one) => one.authorId === authorId)
        .map(({ postId }) => ({ post: `${authorId}.${postId ?? ""}`, postId, accountId })),
    );
    const named = all.filter(({ postId }) => postId !== undefined);
    const visible = named.length === 0 ? [] : await queries.countsFor(db, named);
    const deliveries = [...all.filter(({ postId }) => postId === undefined), ...visible];
    pacing.add(
      deliveries.map(({ post, accountId }) => {
        const authorId = authorOf(post);
        const text = event("new-post", authorId);
        return { accountId, event: { key: `author:${authorId}`, text } };
      }),
    );
  }

  return {
    /** Messages are separate: their reader finds them with or without a hint. */
    async send(hints: readonly Hint[]): Promise<void> {
      const { posted, showing, edited, moved, narrowed, unread, comments } = sorted(streams, hints);
      await Promise.all([
        sendNewPosts(posted),
        sendCounts(deps, showing, comments),
        sendEdits(deps, edited),
        sendLosses(deps, moved),
        ...narrowed.map((album) => sendAlbumLosses(deps, album)),
        sendUnread(deps, [...unread]),
      ]);
    },
    stop: pacing.stop,
  };
}

/** What must be read for hints; a hint that carries all its data is sent here. */
function sorted(streams: Streams, hints: readonly Hint[]) {
  const posted: Posted[] = [];
  const showing: Showing[] = [];
  const edited: string[] = [];
  const moved: Moved[] = [];
  const narrowed: Narrowed[] = [];
  const unread = new Set<string>();
  const comments = new Map<string, string[]>();
  const sendTo = (accountId: string, text: string) =>
    streams.sendTo(accountId, { key: text, text });
  for (const hint of hints) {
    switch (hint.kind) {
      case "messages":
      case "gone":
        break;
      case "posted":
        posted.push(hint);
        break;
      case "edited":
      case "post": {
        const post = `${hint.authorId}.${hint.postId}`;
        if (hint.kind === "edited") {
          edited.push(post);
          if (hint.was) moved.push({ ...hint, audience: hint.was });
        } else if (hint.commentId) {
          comments.set(post, [...(comments.get(post) ?? []), hint.commentId]);
        }
        for (const stream of streams.watchersOf(post)) showing.push({ post, stream });
        break;
      }
      case "narrowed":
        narrowed.push(hint);
        break;
      case "unread":
        if (streams.has(hint.accountId)) unread.add(hint.accountId);
        break;
      case "read":
        sendTo(hint.accountId, event("read", `${hint.conversationId}.${hint.seq}`));
        break;
      case "typing":
        sendTo(hint.accountId, event("typing", hint.chatId));
        break;
      case "follow":
        sendTo(hint.accountId, event("follow", hint.otherId));
        break;
      case "watch":
        showing.push(...watchPosts(streams, hint));
    }
  }
  return { posted, showing, edited, moved, narrowed, unread, comments };
}

/** What the stream shows now and must get at once: its page was read a moment ago. */
function watchPosts(streams: Streams, asked: Hint & { kind: "watch" }): Showing[] {
  const stream = streams.find(asked.streamId);
  if (stream?.sessionId !== asked.sessionId) return [];
  const before = stream.watched;
  streams.watch(stream, asked.posts);
  const fresh = [...stream.watched].filter((post) => !before.has(post));
  return fresh.map((post) => ({ post, stream }));
}

/**
 * Edited posts, to their authors and to those of their followers who are connected: the post is in
 * their feed, its page need not be open.
 */
async function sendEdits({ db, streams }: Deps, posts: readonly string[]): Promise<void> {
  if (posts.length === 0) return;
  const authors = [...new Set(posts.map(authorOf))];
  const deliveries = await connectedFollowers(db, authors, streams);
  const asked = [...deliveries, ...authors.map((id) => ({ authorId: id, accountId: id }))]
    .filter(({ accountId }) => streams.has(accountId))
    .flatMap(({ authorId, accountId }) =>
      posts.filter((post) => authorOf(post) === authorId).map((post) => ({ post, accountId })),
    );
  for (const { accountId, ...counts } of await queries.countsFor(db, asked)) {
    streams.sendTo(accountId, { key: `post:${counts.post}`, text: event("post", counts) });
  }
}

/** Posts whose audience changed, to those who saw them and do not any more: followers, and whoever shows them. */
async function sendLosses({ db, streams }: Deps, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return;
  const authors = [...new Set(moved.map(({ authorId }) => authorId))];
  const followers = await connectedFollowers(db, authors, streams);
  const asked = moved.flatMap((one) => {
    const showing = [...streams.watchersOf(nameOf(one))].map(({ accountId }) => accountId);
    const following = followers.filter(({ authorId }) => authorId === one.authorId);
    const accounts = new Set([...showing, ...following.map(({ accountId }) => accountId)]);
    return [...accounts].map((accountId) => ({ ...one, post: nameOf(one), accountId }));
  });
  const [saw, see] = await Promise.all([rightsOf(db, asked), queries.countsFor(db, asked)]);
  const names = new Map(moved.map((one) => [one.postId, nameOf(one)]));
  const before = saw.map(({ accountId, postId }) => ({ accountId, post: names.get(postId) ?? "" }));
  sendGone(streams, before, see);
}

/** Photos of an album that is for fewer now, to whoever shows one, saw it and does not any more. */
async function sendAlbumLosses({ db, streams }: Deps, album: Narrowed): Promise<void> {
  if (streams.count() === 0) return;
  const showing = (await postsOfAlbum(db, album)).flatMap((post) => {
    const accounts = new Set([...streams.watchersOf(post)].map(({ accountId }) => accountId));
    return [...accounts].map((accountId) => ({ post, accountId }));
  });
  if (showing.length === 0) return;
  const [saw, see] = await Promise.all([
    sawInAlbum(db, album, showing),
    queries.countsFor(db, showing),
  ]);
  sendGone(streams, saw, see);
}

function sendGone(
  streams: Streams,
  saw: readonly queries.Watching[],
  see: readonly queries.Watching[],
): void {
  const still = new Set(see.map(({ post, accountId }) => `${post}:${accountId}`));
  for (const { post, accountId } of saw) {
    if (still.has(`${post}:${accountId}`)) continue;
    streams.sendTo(accountId, { key: `gone:${post}`, text: event("gone", post) });
  }
}

/** What posts have now, to streams that show them: in one statement for all. */
async function sendCounts(
  { db, streams }: Deps,
  showing: readonly Showing[],
  comments: ReadonlyMap<string, string[]>,
): Promise<void> {
  if (showing.length === 0) return;
  const asked = new Map<string, queries.Watching>();
  for (const { post, stream } of showing) {
    asked.set(`${post}:${stream.accountId}`, { post, accountId: stream.accountId });
  }
  const deliveries = new Map<string, string>();
  for (const { accountId, ...counts } of await queries.countsFor(db, [...asked.values()])) {
    // More at once than anybody looks at: a page that shows them reads them itself.
    const changed = comments.get(counts.post)?.slice(0, mostComments);
    const news = changed ? { ...counts, comments: changed } : counts;
    deliveries.set(`${counts.post}:${accountId}`, event("post", news));
  }
  for (const { post, stream } of showing) {
    const text = deliveries.get(`${post}:${stream.accountId}`);
    if (text !== undefined) streams.write(stream, text);
  }
}

/** A post as streams name it. */
const nameOf = ({ authorId, postId }: Moved) => `${authorId}.${postId}`;
/** Of a post as streams name it. */
const authorOf = (post: string) => post.split(".")[0] ?? "";
