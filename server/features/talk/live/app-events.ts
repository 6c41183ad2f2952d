import type { Database } from "#server/platform/db/database.ts";
import type { Hint } from "#server/features/change-hint.ts";
import { hiddenByMutedWords, type Explore, type References } from "#server/features/posts/index.ts";
import type { Relations } from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";
import type {
  AppStream,
  Channel,
  createAppStreams,
} from "#server/features/talk/live/app-streams.ts";
import * as queries from "#server/features/talk/live/app-events.queries.ts";
import { connectedFollowers } from "#server/features/talk/live/connected-followers.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import { tagsOf } from "#shared/tags.ts";
import type { FeedPost } from "#shared/views.ts";

/** A listener to a post, and how that post relates to them. */
export type Listener = {
  stream: AppStream;
  channels: readonly Channel[];
  liked: boolean;
  saved: boolean;
  /** somebody whom the post names is hidden from them */
  unnamed: boolean;
};

/** The events that apps get. An API writes them in its own format. */
export type AppEvent =
  | { kind: "posted" | "edited"; post: FeedPost; listeners: Listener[] }
  | { kind: "gone"; postId: string; listeners: Listener[] }
  | { kind: "notifications"; actIds: string[]; streams: AppStream[] };

/** Hints that wait while events are being read; more than these are lost, as hints may be. */
const mostHints = 2000;

type Deps = {
  db: Database;
  streams: ReturnType<typeof createAppStreams>;
  references: Pick<References, "forAnyAudience">;
  relations: Pick<Relations, "named">;
  explore: Pick<Explore, "among">;
};

type PostHint = Hint & { kind: "posted" | "edited" | "gone"; postId: string };

/**
 * What hints name, read once for all apps that listen, and sent with the rights of each: as many
 * statements for ten thousand listeners as for one.
 */
export function createAppEvents(deps: Deps) {
  const { streams } = deps;
  let onEvent: ((appEvent: AppEvent) => Promise<void>) | undefined;
  let waiting: Hint[] = [];
  let sending: Promise<void> | null = null;

  /** One batch after the other, so that an edit never comes before its post. */
  function handle(batch: readonly Hint[]): Promise<void> {
    if (streams.count() === 0 || !onEvent) return Promise.resolve();
    waiting.push(...batch.slice(0, mostHints - waiting.length));
    sending ??= sendWaiting().finally(() => {
      sending = null;
    });
    return sending;
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const posts = await eventsOfPosts(deps, batch.filter(isOfPost));
      for (const appEvent of [...posts, ...eventsOfActs(streams, batch)]) await onEvent?.(appEvent);
    }
  }

  return {
    handle,
    /** The API that sends events to apps; it is asked for one after the other. */
    setHandler(handler: (appEvent: AppEvent) => Promise<void>): void {
      onEvent = handler;
    },
  };
}

function eventsOfActs(streams: Deps["streams"], hints: readonly Hint[]): AppEvent[] {
  const acts = new Map<string, string[]>();
  for (const hint of hints) {
    if (hint.kind !== "unread" || hint.actId === undefined) continue;
    if (!streams.listens("notifications", hint.accountId)) continue;
    acts.set(hint.accountId, [...(acts.get(hint.accountId) ?? []), hint.actId]);
  }
  return [...acts].map(([accountId, actIds]) => ({
    kind: "notifications" as const,
    actIds,
    streams: [...streams.of("notifications", accountId)],
  }));
}

/**
 * An event of a hint, for whom its post is or was, and who listens to the lists it is in, by which channels.
 * A post whose audience changed is, for those who lost it, gone.
 */
type Asked = {
  kind: PostHint["kind"];
  ref: PostRef;
  post: FeedPost | undefined;
  audience: ShownAudience;
  listening: Map<string, Channel[]>;
};

async function eventsOfPosts(deps: Deps, hints: readonly PostHint[]): Promise<AppEvent[]> {
  if (hints.length === 0) return [];
  const asked = await listenersOf(deps, hints);
  const rights = await rightsOf(deps, asked);
  return asked.flatMap(({ kind, ref: { postId }, post, audience, listening }): AppEvent[] => {
    const shown = kind === "gone" ? undefined : post;
    const rightOf = (accountId: string, to: ShownAudience) =>
      rights.get(`${postId}:${accountId}:${to}`);
    const listeners = [...listening].flatMap(([accountId, channels]) => {
      const right = rightOf(accountId, audience);
      const stillSees = kind === "gone" && post && rightOf(accountId, post.audience);
      return right && !stillSees ? listenersAt(deps.streams, channels, right, shown) : [];
    });
    if (listeners.length === 0) return [];
    if (kind === "gone") return [{ kind, postId, listeners }];
    return shown ? [{ kind, post: shown, listeners }] : [];
  });
}

async function listenersOf({ db, streams, references, explore }: Deps, hints: readonly PostHint[]) {
  const keys = hints.map(({ authorId, postId: id }) => ({ authorId, id }));
  const [posts, recent, followers] = await Promise.all([
    references.forAnyAudience(unique(keys)),
    explore.among(streams.accounts("everybody").length === 0 ? [] : unique(keys)),
    connectedFollowers(db, [...new Set(hints.map(({ authorId }) => authorId))], {
      has: (accountId) => streams.listens("home", accountId),
      accounts: () => streams.accounts("home"),
    }),
  ]);
  const byId = new Map(posts.map((post) => [post.id, post]));
  return hints.flatMap((hint): Asked[] => {
    const { authorId, postId } = hint;
    const post = byId.get(postId);
    const home = followers.filter((one) => one.authorId === authorId);
    const hearing = [...new Set([...home.map(({ accountId }) => accountId), authorId])];
    const to = (channels: readonly Channel[]) => {
      const listening = new Map<string, Channel[]>(hearing.map((id) => [id, ["home"]]));
      for (const channel of channels) {
        for (const id of streams.accounts(channel))
          listening.set(id, [...(listening.get(id) ?? []), channel]);
      }
      return { ref: { authorId, postId }, listening };
    };
    // A post that was there cannot be asked which lists it was in: an id that a client does not know changes
    // nothing there.
    const goneFrom = (audience: Audience): Asked => {
      const lists = to(audience === "everyone" ? streams.shared() : []);
      return { ...lists, kind: "gone", audience, post };
    };
    if (hint.kind === "gone") return [goneFrom(hint.audience ?? "only-me")];
    // Apps know no albums: what is for one is in none of their lists.
    if (!post || post.audience === "album") return [];
    const now = to(listsOf(post, recent));
    const shown: Asked = { ...now, kind: hint.kind, audience: post.audience, post };
    return hint.kind === "edited" && hint.was ? [shown, goneFrom(hint.was)] : [shown];
  });
}

/** The lists for everybody that have this post. */
function listsOf(post: FeedPost, recent: ReadonlySet<string>): Channel[] {
  if (effectiveAudience(post.audience, post.private) !== "everyone") return [];
  const tags = tagsOf(post.caption).map((tag): Channel => `tag:${tag}`);
  return recent.has(post.id) ? ["everybody", ...tags] : tags;
}

/** Who may see what: by post, account and audience. */
async function rightsOf(deps: Deps, asked: readonly Asked[]) {
  const pairs = asked.flatMap(({ ref, post, audience, listening }) => {
    const both = new Set([audience, ...(post ? [post.audience] : [])]);
    return [...listening.keys()].flatMap((accountId) =>
      [...both].map((one) => ({ ...ref, accountId, audience: one })),
    );
  });
  const [rights, hidden] = await Promise.all([
    queries.rightsOf(deps.db, pairs),
    hiddenNamed(deps, asked),
  ]);
  return new Map(
    rights.map((right) => {
      const { postId, accountId, audience } = right;
      const unnamed = hidden.has(`${postId}:${accountId}`);
      return [`${postId}:${accountId}:${audience}`, { ...right, unnamed }];
    }),
  );
}

/** Posts that name somebody who is hidden from one of the listeners. */
async function hiddenNamed({ db, relations }: Deps, asked: readonly Asked[]): Promise<Set<string>> {
  const deliverable = asked.filter(({ kind }) => kind !== "gone");
  const names = deliverable.flatMap(({ post }) => post?.mentions ?? []);
  if (names.length === 0) return new Set();
  const ids = new Map((await relations.named(null, names)).map((one) => [one.written, one.id]));
  const pairs = deliverable.flatMap(({ post, listening }) =>
    (post?.mentions ?? []).flatMap((name) => {
      const otherId = ids.get(name);
      if (!post || otherId === undefined) return [];
      return [...listening.keys()].map((accountId) => ({ postId: post.id, accountId, otherId }));
    }),
  );
  const blocked = await queries.blockedAmong(db, pairs);
  return new Set(blocked.map(({ postId, accountId }) => `${postId}:${accountId}`));
}

function listenersAt(
  streams: Deps["streams"],
  channels: readonly Channel[],
  { accountId, words, own, liked, saved, unnamed }: queries.Right & Pick<Listener, "unnamed">,
  post: FeedPost | undefined,
): Listener[] {
  const shown = channels.filter((channel) => {
    if (!post || own || words === null) return true;
    const tag = channel.startsWith("tag:") ? `#${channel.slice(4)}` : undefined;
    return !hiddenByMutedWords(words, post, tag);
  });
  const channelsByStream = new Map<AppStream, Channel[]>();
  for (const channel of shown) {
    for (const stream of streams.of(channel, accountId)) {
      channelsByStream.set(stream, [...(channelsByStream.get(stream) ?? []), channel]);
    }
  }
  return [...channelsByStream].map(([stream, all]) => ({
    stream,
    channels: all,
    liked,
    saved,
    unnamed,
  }));
}

const isOfPost = (hint: Hint): hint is PostHint =>
  ["posted", "edited", "gone"].includes(hint.kind) && "postId" in hint;

function unique<Key extends { id: string }>(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}
