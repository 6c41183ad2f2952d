import type { Database } from "#server/platform/db/database.ts";
import { compile, Sql } from "#server/platform/db/sql.ts";
import type { Mixed } from "#server/test/owners-written.ts";

const twoSides =
  "two members, a row and a counter of each: cut in two it is a round trip more for what people do all day";
const recipients = "a notification for each of several members, who are its rows' owners";
const triggered =
  "a post in somebody's album: the item and its counts are the album's owner's, and triggers keep them exact";
const deletion = "the end of an account, in batches by a job: what is removed is others' as well";
const swept = "what nobody needs any longer, of everybody, by a job or from time to time";
const conversation = "a conversation belongs to itself; who reads what is each member's";

/**
 * Statements of the product that may write rows of several owners, and why. Whoever divides the tables among
 * machines begins with these.
 */
export const mayWriteSeveral: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "people/follows/follows.queries.ts": {
    insertFollow: twoSides,
    deleteFollow: twoSides,
    deleteFollower: twoSides,
    removeFollows: deletion,
  },
  "people/follows/requests.queries.ts": {
    acceptRequests: "many who asked at once, who follow from then on",
  },
  "people/blocks/blocks.queries.ts": {
    insertBlock: "a block ends what the other has in the member's albums: a trigger",
  },
  "posts/post-writes.queries.ts": { deletePost: triggered, deletePostsOf: triggered },
  "posts/edits/edits.queries.ts": {
    writePost: triggered,
    moveBookmarks:
      "a post that gained or lost its photos is in the other tab of all who bookmarked it",
  },
  "posts/albums/albums.queries.ts": { deleteAlbum: triggered },
  "posts/albums/album-members.queries.ts": { deleteMember: triggered },
  "posts/albums/album-items.queries.ts": { deleteItem: triggered },
  "posts/feed/home-lists.queries.ts": {
    callback:
      "new posts go into the lists of all who follow: by a job, from a queue that is nobody's",
    fillList: "the statement that cuts one list after it was filled cuts all that a post made long",
    announce:
      "asks each followed account to write the list: a mark in that account's row of the follow",
  },
  "posts/feed/home-lists-removal.queries.ts": { removeAuthor: "the lists of all who followed" },
  "posts/bookmarks/bookmarks.queries.ts": { deleteBookmarksOf: deletion },
  "posts/reactions.queries.ts": { removeCounted: deletion },
  "links/shared-links.queries.ts": { deleteExpired: swept },
  "apps/apps.queries.ts": { sweepApps: swept },
  "identity/providers/attempts.queries.ts": { sweepAttempts: swept },
  "posts/images/images.queries.ts": { deleteUnclaimed: swept },
  "posts/uploads/resumable-uploads.queries.ts": { deleteExpired: swept },
  "idempotency/idempotency.queries.ts": { sweepKeys: swept },
  "identity/sessions.queries.ts": { sweepExpired: swept },
  "deletion/deletion.queries.ts": { removeOwned: deletion, removeAccount: deletion },
  "talk/chat/conversations.queries.ts": { ensureConversation: conversation },
  "talk/chat/messages.queries.ts": { insertMessage: conversation, withdrawMessage: conversation },
  "talk/chat/message-images.queries.ts": { deleteImageRows: conversation },
  "talk/notifications/notices.queries.ts": {
    insertAlbumAct: recipients,
    insertNotice: recipients,
  },
  "talk/notifications/notify.queries.ts": { insertAct: recipients },
  "talk/notifications/retract.queries.ts": {
    deleteBetween: "the acts of each of two members, among the other's notifications",
    deleteCommentActs: recipients,
    deleteCommentsOfPost: recipients,
    deleteOfPost: recipients,
  },
};

/** Which function of the product sent a statement; what tests write themselves has none. */
export function createSenders() {
  const senders = new Map<string, string>();
  const noted = (arg: unknown) => {
    if (!(arg instanceof Sql)) return arg;
    const { text } = compile(arg);
    if (!senders.has(text)) senders.set(text, senderIn(new Error().stack ?? ""));
    return arg;
  };
  return {
    of: (text: string) => senders.get(text) ?? "",
    /** The same database, which notes who sends what. */
    heard: (db: Database): Database => {
      const heard = Object.entries(db).map(([name, value]): [string, unknown] => {
        if (typeof value !== "function") return [name, value];
        const send = value as (...args: unknown[]) => unknown;
        return [name, (...args: unknown[]) => send(...args.map(noted))];
      });
      return Object.fromEntries(heard) as Database;
    },
  };
}

/**
 * The outermost function of SQL in a stack: "people/follows/follows.queries.ts insertFollow"; "… callback" where none
 * has a name.
 */
function senderIn(stack: string): string {
  const frames = stack.split("\n").flatMap((line) => {
    const file = /\/server\/(?:features\/)?([\w/-]+\.queries\.ts)/.exec(line)?.[1];
    const name = /at (?:async )?(?:\w+\.)?(\w+) \(/.exec(line)?.[1];
    return file ? [{ file, name }] : [];
  });
  const sender = frames.findLast(({ name }) => name) ?? frames.at(-1);
  return sender ? `${sender.file} ${sender.name ?? "callback"}` : "";
}

/** What wrote rows of several owners and may not: a line each. */
export function unnamed(mixed: Mixed[], of: (text: string) => string): string[] {
  return mixed.flatMap(({ text, wrote }) => {
    const [file = "", name = ""] = of(text).split(" ");
    return !name || mayWriteSeveral[file]?.[name] ? [] : [`${file} ${name}: ${wrote}`];
  });
}
