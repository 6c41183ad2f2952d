import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { postItem, postOf, type PostOrComment } from "#server/features/posts/index.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Features } from "#server/features/index.ts";
import type { Audience } from "#shared/posts.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { MessageView, Viewer } from "#shared/views.ts";

/*
 * Every function of every feature is in one of these lists; a new one must be added, or the first
 * test fails. `reads` are called by one of two people with a block between them and must show
 * nothing of the other; `writes` must be refused as if the other did not exist; `owns` touch only
 * what is the caller's own, or are not for members to call.
 */
type Side = { viewer: Viewer; other: Viewer; theirs: { text: MadePost; photo: MadePost } };
type Attempt = (side: Side) => Promise<unknown>;

let db: Database;
let on: TestFeatures;
let friend: Viewer;
let friends: MadePost;
let ada: Viewer;
let bob: Viewer;
let sides: [Side, Side];
/** a message from before the block */
let said: MessageView;

const words = { body: "a word between us", picture: null, clientKey: null };

const newest = { below: highestId, above: lowestId, upward: false, limit: 20 };
const everything = { below: null, above: null, minimum: null };
const ever = { from: lowestId, to: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
/** the author of a comment under the friend's post, by its id */
const writers = new Map<string, string>();
/** under the friend's own post: both replied to it */
let friendsComment = "";
/** the viewer's comment, by the other's post it is under */
const mine = new Map<string, string>();

const commentOf = ({ name }: Viewer) =>
  [...writers].find(([, writer]) => writer === name)?.[0] ?? "";
const mineUnder = ({ text }: Side["theirs"]) => mine.get(text.postId) ?? "";
/** everybody's album, by its owner's id, and the token of its link for members */
const albums = new Map<string, { id: string; token: string }>();
/** the collection of what somebody saved, by their id */
const collections = new Map<string, string>();
const collectionOf = ({ id }: Viewer) => collections.get(id) ?? "";
const albumOf = ({ id }: Viewer) => albums.get(id)?.id ?? "";
const tokenOf = ({ id }: Viewer) => albums.get(id)?.token ?? "";
/** posts as their authors read them, by id: a reader may ask what is around one that is gone */
const readByAuthor = new Map<string, PostOrComment>();
const around = async (viewer: Viewer, { authorId, postId }: MadePost, itsAuthor: Viewer) => {
  const [post] = await on.references.posts(itsAuthor, [{ authorId, id: postId }]);
  if (post) readByAuthor.set(postId, postItem(post));
  const item = readByAuthor.get(postId);
  if (!item) throw new Error("the post is not there");
  return on.references.around(viewer, item);
};

const reads: Record<string, Attempt[]> = {
  // before the list is opened
  "notifications.unread": [
    async ({ viewer, other }) => {
      const kinds = ["like", "comment", "follow", "mention"] as const;
      const range = { kinds, together: [], limit: 100, actorId: other.id };
      const count = await on.notifications.unread(viewer, range);
      // It names nobody: that there are some shows whose they are.
      return count > 0 ? other.id : undefined;
    },
  ],
  "accounts.findByAddress": [
    ({ viewer, other }) => on.accounts.findByAddress(viewer, other.username),
    ({ viewer, other }) => on.accounts.findByAddress(viewer, other.email),
  ],
  "accounts.findById": [({ viewer, other }) => on.accounts.findById(viewer, other.id)],
  "feed.home": [({ viewer }) => on.feed.home(viewer, null)],
  "suggestions.list": [({ viewer }) => on.suggestions.list(viewer)],
  "feed.written": [({ viewer }) => on.feed.written(viewer, null, 20)],
  "feed.visit": [({ viewer }) => on.feed.visit(viewer, 20)],
  "explore.recent": [({ viewer }) => on.explore.recent(viewer, null)],
  "explore.above": [({ viewer }) => on.explore.above(viewer, { ...newest, upward: true })],
  "tags.above": [({ viewer }) => on.tags.above(viewer, "everybody", { ...newest, upward: true })],
  "posts.get": [
    ({ viewer, other, theirs }) => on.posts.get(viewer, other.username, theirs.text.number),
    ({ viewer, other, theirs }) => on.posts.get(viewer, other.email, theirs.photo.number),
    ({ viewer }) => on.posts.get(viewer, friend.username, friends.number),
  ],
  "posts.details": [
    // It names nobody: that it is there shows whose it is.
    async ({ viewer, other, theirs }) =>
      (await on.posts.details(viewer, other.username, theirs.photo.number)) && other.id,
  ],
  "posts.refAt": [
    ({ viewer, other, theirs }) =>
      orNothing(on.posts.refAt(viewer, other.username, theirs.text.number)),
  ],
  "posts.photosOf": [({ viewer, other }) => on.posts.photosOf(viewer, other.id, null)],
  "posts.textsOf": [({ viewer, other }) => on.posts.textsOf(viewer, other.id, null)],
  "comments.list": [
    ({ viewer }) => on.comments.list(viewer, friends, null),
    ({ viewer, theirs }) => orNothing(on.comments.list(viewer, theirs.text, null)),
  ],
  "comments.after": [
    ({ viewer }) => on.comments.after(viewer, friends, friends.postId),
    ({ viewer, theirs }) => orNothing(on.comments.after(viewer, theirs.text, theirs.text.postId)),
  ],
  "comments.get": [
    ({ viewer, other }) => orNothing(on.comments.get(viewer, friends, commentOf(other))),
    // of a post, and of comments under it, of the other's
    ({ viewer, theirs }) => orNothing(on.comments.get(viewer, theirs.text, mineUnder(theirs))),
  ],
  "comments.replies": [
    ({ viewer }) => on.comments.replies(viewer, friends, friendsComment, null),
    ({ viewer, other }) => on.comments.replies(viewer, friends, commentOf(other), null),
    ({ viewer, theirs }) =>
      orNothing(on.comments.replies(viewer, theirs.text, mineUnder(theirs), null)),
  ],
  "comments.listFrom": [
    ({ viewer }) => on.comments.listFrom(viewer, friends, friendsComment),
    ({ viewer, other }) => on.comments.listFrom(viewer, friends, commentOf(other)),
    ({ viewer, theirs }) => orNothing(on.comments.listFrom(viewer, theirs.text, friendsComment)),
  ],
  "comments.standing": [
    ({ viewer }) => writersOf(on.comments.standing(viewer, friends, ever)),
    ({ viewer, theirs }) => orNothing(on.comments.standing(viewer, theirs.text, ever)),
  ],
  "likes.list": [
    ({ viewer }) => on.likes.list(viewer, friends, null),
    ({ viewer, theirs }) => orNothing(on.likes.list(viewer, theirs.text, null)),
  ],
  "likes.between": [
    ({ viewer }) => on.likes.between(viewer, friends, newest),
    ({ viewer, theirs }) => orNothing(on.likes.between(viewer, theirs.text, newest)),
  ],
  "altSuggestions.ofPost": [
    async ({ viewer }) => {
      const own = sides.find(({ other }) => other.id === viewer.id)?.theirs.photo;
      return own ? on.altSuggestions.ofPost(viewer, own) : null;
    },
  ],
  "bookmarks.list": [
    ({ viewer }) => on.bookmarks.list(viewer, "photos", null),
    ({ viewer }) => on.bookmarks.list(viewer, "texts", null),
  ],
  "bookmarks.counts": [
    // of the photos they bookmarked only the other's
    async ({ viewer, other }) =>
      (await on.bookmarks.counts(viewer)).photos > 0 ? other.id : undefined,
  ],
  // the photo that stands for it is the other's
  "collections.list": [
    async ({ viewer, other }) =>
      (await on.collections.list(viewer)).some(({ cover }) => cover) ? other.id : undefined,
  ],
  "collections.get": [
    async ({ viewer, other }) =>
      (await on.collections.get(viewer, collectionOf(viewer))).cover ? other.id : undefined,
  ],
  "collections.posts": [({ viewer }) => on.collections.posts(viewer, collectionOf(viewer), null)],
  "albums.get": [
    ({ viewer, other }) => orNothing(on.albums.get(viewer, albumOf(other))),
    ({ viewer }) => on.albums.get(viewer, albumOf(friend)),
  ],
  "albums.of": [({ viewer, other }) => on.albums.of(viewer, other.id, null)],
  "albums.mine": [({ viewer }) => on.albums.mine(viewer, null)],
  "albums.photos": [
    ({ viewer, other }) => orNothing(on.albums.photos(viewer, albumOf(other), null)),
    ({ viewer }) => on.albums.photos(viewer, albumOf(friend), null),
  ],
  "albumMembers.list": [
    ({ viewer, other }) => orNothing(on.albumMembers.list(viewer, albumOf(other))),
    ({ viewer }) => on.albumMembers.list(viewer, albumOf(friend)),
  ],
  "albumMembers.invitable": [
    async ({ viewer, other }) => [...(await on.albumMembers.invitable(viewer, [other.id]))],
  ],
  "albumMembers.invitation": [
    ({ viewer, other }) => orNothing(on.albumMembers.invitation(viewer, tokenOf(other))),
  ],
  "follows.followers": [
    ({ viewer }) => on.follows.followers(viewer, friend.id, null),
    ({ viewer, other }) => orNothing(on.follows.followers(viewer, other.id, null)),
  ],
  "follows.following": [
    ({ viewer }) => on.follows.following(viewer, friend.id, null),
    ({ viewer, other }) => orNothing(on.follows.following(viewer, other.id, null)),
  ],
  "follows.between": [
    ({ viewer }) => on.follows.between(viewer, "followers", friend.id, newest),
    ({ viewer }) => on.follows.between(viewer, "following", friend.id, newest),
    ({ viewer, other }) => orNothing(on.follows.between(viewer, "followers", other.id, newest)),
  ],
  "search.accounts": [
    ({ viewer, other }) => on.search.accounts(viewer, other.name, null),
    ({ viewer, other }) => on.search.accounts(viewer, other.name.slice(0, 2), null),
    ({ viewer, other }) => on.search.accounts(viewer, other.username, null),
    ({ viewer, other }) => on.search.accounts(viewer, other.email, null),
  ],
  "search.offered": [
    ({ viewer, other }) => on.search.offered(viewer, other.name.slice(0, 2)),
    ({ viewer, other }) => on.search.offered(viewer, other.username),
    ({ viewer }) => on.search.offered(viewer, ""),
  ],
  "elsewhere.find": [
    ({ viewer, other }) =>
      on.elsewhere.find(viewer, { accounts: [`@${other.username}@pixels.example`] }),
  ],
  "tags.posts": [({ viewer }) => on.tags.posts(viewer, "everybody", null)],
  // a number: it stands for whose posts are counted
  "tags.count": [
    async ({ viewer, other }) =>
      (await on.tags.count(viewer, `by_${other.username}`)).posts > 0 ? other : null,
  ],
  "tags.beginning": [({ viewer, other }) => on.tags.beginning(viewer, `by_${other.username}`)],
  "closeFriends.list": [
    ({ viewer }) => on.closeFriends.list(viewer, "", null),
    ({ viewer, other }) => on.closeFriends.list(viewer, other.name, null),
  ],
  "followRequests.list": [({ viewer }) => on.followRequests.list(viewer, null)],
  "followRequests.between": [({ viewer }) => on.followRequests.between(viewer, newest)],
  "followRequests.count": [
    // It names nobody: that there is one shows whose it is.
    async ({ viewer, other }) => ((await on.followRequests.count(viewer)) > 0 ? other.id : null),
  ],
  "profiles.get": [({ viewer, other }) => on.profiles.get(viewer, other.id)],
  "chat.list": [({ viewer }) => on.chat.list(viewer, null)],
  "chat.conversation": [
    ({ viewer, other }) => orNothing(on.chat.conversation(viewer, chatIdOf(viewer, other))),
  ],
  "chat.whole": [
    ({ viewer, other }) => orNothing(on.chat.whole(viewer, chatIdOf(viewer, other), 10)),
  ],
  "chat.older": [({ viewer }) => orNothing(on.chat.older(viewer, said.conversationId, null))],
  "chat.before": [({ viewer }) => orNothing(on.chat.before(viewer, said.conversationId, 10))],
  "chat.since": [({ viewer }) => orNothing(on.chat.since(viewer, said.conversationId, 0))],
  "documents.at": [
    ({ viewer }) => on.documents.at(viewer, friend.username),
    ({ viewer }) => on.documents.at(viewer, viewer.email),
    ({ viewer, other }) => orNothing(on.documents.at(viewer, other.email)),
  ],
  "documents.byId": [({ viewer, other }) => orNothing(on.documents.byId(viewer, other.id))],
  "documents.ofAccount": [({ viewer, other }) => on.documents.ofAccount(viewer, other.id)],
  "documents.page": [({ viewer }) => on.documents.page(viewer, null)],
  "threads.ofPost": [
    ({ viewer }) => on.threads.ofPost(viewer, friend.username, friends.number),
    ({ viewer, other, theirs }) =>
      orNothing(on.threads.ofPost(viewer, other.username, theirs.text.number)),
  ],
  "conversations.at": [
    ({ viewer, other }) =>
      orNothing(on.conversations.at(viewer, `${viewer.username}${other.username}`)),
  ],
  "notifications.list": [
    ({ viewer }) => on.notifications.list(viewer, "all", null),
    ({ viewer }) => on.notifications.list(viewer, "mentions", null),
  ],
  "notifications.findUnread": [
    async ({ viewer, other }) => {
      const { items } = await on.notifications.list(viewer, "all", null);
      const theirs = items.find(({ people }) => people.some(({ id }) => id === other.id));
      return theirs && on.notifications.findUnread(viewer.id, theirs.id);
    },
  ],
  // last of them: it reads them
  "notifications.open": [({ viewer }) => on.notifications.open(viewer, "all", null)],
  "blocks.muted": [({ viewer }) => on.blocks.muted(viewer, null)],
  // the viewer's own blocks are theirs to see
  "blocks.between": [({ viewer }) => on.blocks.between(viewer, "muted", newest)],
  "references.posts": [
    ({ viewer, theirs: { text } }) =>
      on.references.posts(viewer, [{ authorId: text.authorId, id: text.postId }]),
  ],
  "references.byIds": [({ viewer, theirs }) => on.references.byIds(viewer, [theirs.text.postId])],
  "references.comments": [
    ({ viewer, other }) =>
      on.references.comments(viewer, [{ ...friends, commentId: commentOf(other) }]),
    ({ viewer, theirs }) =>
      on.references.comments(viewer, [{ ...theirs.text, commentId: mineUnder(theirs) }]),
  ],
  "references.find": [
    ({ viewer, theirs }) => on.references.find(viewer, [decimalOf(theirs.text.postId)]),
    ({ viewer, other }) => on.references.find(viewer, [decimalOf(commentOf(other))]),
    ({ viewer, theirs }) => on.references.find(viewer, [decimalOf(mineUnder(theirs))]),
  ],
  "references.pathOf": [
    async ({ viewer, other, theirs }) =>
      (await on.references.pathOf(viewer, theirs.text.postId)) && other.id,
    async ({ viewer, other }) => (await on.references.pathOf(viewer, commentOf(other))) && other.id,
    async ({ viewer, other, theirs }) =>
      (await on.references.pathOf(viewer, mineUnder(theirs))) && other.id,
  ],
  "references.around": [
    ({ viewer }) => around(viewer, friends, friend),
    ({ viewer, other, theirs }) => around(viewer, theirs.text, other),
  ],
  "references.ofAuthor": [
    ({ viewer, other }) =>
      on.references.ofAuthor(viewer, other.id, everything, { limit: 20, onlyPhotos: false }),
  ],
  "references.writtenBy": [
    ({ viewer, other }) => on.references.writtenBy(viewer, other.id, everything, 20),
    // comments under the other's posts, which nobody hides elsewhere
    async ({ viewer, other }) => {
      const { items } = await on.references.writtenBy(viewer, viewer.id, everything, 20);
      return items.some((one) => postOf(one).authorId === other.id) ? other.id : undefined;
    },
  ],
  "references.homeAbove": [({ viewer }) => on.references.homeAbove(viewer, everything, 20)],
  "references.liked": [({ viewer }) => on.references.liked(viewer, newest)],
  "references.saved": [({ viewer }) => on.references.saved(viewer, newest)],
  "relations.details": [({ viewer, other }) => on.relations.details(viewer, [other.id])],
  "relations.named": [({ viewer, other }) => on.relations.named(viewer, [other.username])],
  "relations.familiarFollowers": [
    ({ viewer, other }) => on.relations.familiarFollowers(viewer, [other.id, friend.id]),
  ],
  "notifications.actsGathered": [
    async ({ viewer }) => {
      const kinds = ["like", "comment", "follow", "mention"] as const;
      const found = [];
      for (const one of await on.notifications.acts(viewer, { ...newest, kinds })) {
        const { notificationId: id } = one;
        const range = { ...newest, kinds, gathered: { lowest: id, highest: id } };
        found.push(await on.notifications.actsGathered(viewer, range));
      }
      return found;
    },
  ],
  "notifications.acts": [
    ({ viewer }) =>
      on.notifications.acts(viewer, {
        below: ever.to,
        above: ever.from,
        upward: false,
        limit: 50,
        kinds: ["follow", "like", "comment", "mention"],
      }),
  ],
};

const writes: Record<string, Attempt> = {
  "albums.edit": ({ viewer, other }) => on.albums.edit(viewer, albumOf(other), { title: "Mine" }),
  "albums.setCover": ({ viewer, other }) => on.albums.setCover(viewer, albumOf(other), null),
  "albums.remove": ({ viewer, other }) => on.albums.remove(viewer, albumOf(other), "keep"),
  "albums.addPhoto": ({ viewer, other }) =>
    on.albums.addPhoto(viewer, albumOf(other), { imageId: newId(), clientKey: null }),
  "albums.upload": async ({ viewer, other }) =>
    on.albums.upload(viewer, { album: albumOf(other) }, await on.photo()),
  "albums.putPost": ({ viewer, other }) =>
    on.albums.putPost(viewer, albumOf(other), { address: viewer.username, number: 2 }),
  // of the viewer's own album, or the friend's, what is the other's
  "albums.takeOut": ({ viewer, other, theirs }) =>
    on.albums.takeOut(viewer, albumOf(viewer), {
      address: other.username,
      number: theirs.photo.number,
    }),
  "albums.move": ({ viewer, other }) =>
    on.albums.move(viewer, albumOf(other), { item: newId(), after: null }),
  "albumMembers.put": ({ viewer, other }) =>
    on.albumMembers.put(viewer, albumOf(viewer), other.username, "member"),
  "albumMembers.remove": ({ viewer, other }) =>
    on.albumMembers.remove(viewer, albumOf(viewer), other.username),
  "albumMembers.showToGuests": ({ viewer, other }) =>
    on.albumMembers.showToGuests(viewer, albumOf(other), true),
  "albumMembers.leave": ({ viewer, other }) => on.albumMembers.leave(viewer, albumOf(other)),
  "albumMembers.makeLink": ({ viewer, other }) =>
    on.albumMembers.makeLink(viewer, albumOf(other), "member"),
  "albumMembers.endLink": ({ viewer, other }) => on.albumMembers.endLink(viewer, albumOf(other)),
  "albumMembers.join": ({ viewer, other }) => on.albumMembers.join(viewer, tokenOf(other)),
  "follows.follow": ({ viewer, other }) => on.follows.follow(viewer, other.id),
  "follows.unfollow": ({ viewer, other }) => on.follows.unfollow(viewer, other.id),
  "follows.removeFollower": ({ viewer, other }) => on.follows.removeFollower(viewer, other.id),
  "followRequests.accept": ({ viewer, other }) => on.followRequests.accept(viewer, other.id),
  "followRequests.refuse": ({ viewer, other }) => on.followRequests.refuse(viewer, other.id),
  "closeFriends.put": ({ viewer, other }) => on.closeFriends.put(viewer, other.id),
  "likes.like": ({ viewer, theirs }) => on.likes.like(viewer, theirs.text),
  "likes.unlike": ({ viewer, theirs }) => on.likes.unlike(viewer, theirs.text),
  "comments.add": ({ viewer, theirs }) => on.comments.add(viewer, theirs.text, "hello", null),
  "comments.edit": ({ viewer, theirs }) =>
    on.comments.edit(viewer, theirs.text, mineUnder(theirs), "hello again"),
  "commentLikes.like": ({ viewer, other }) =>
    on.commentLikes.like(viewer, friends, commentOf(other)),
  "commentLikes.unlike": ({ viewer, other }) =>
    on.commentLikes.unlike(viewer, friends, commentOf(other)),
  "comments.remove": ({ viewer, theirs }) =>
    on.comments.remove(viewer, theirs.text, theirs.text.postId),
  "altSuggestions.suggest": ({ viewer, other, theirs }) =>
    on.altSuggestions.suggest(viewer, other.username, theirs.photo.number, {
      key: "any",
      alt: "hello",
    }),
  "altSuggestions.dismiss": ({ viewer, other, theirs }) =>
    on.altSuggestions.dismiss(viewer, other.username, theirs.photo.number, "any"),
  "altSuggestions.take": ({ viewer, other, theirs }) =>
    on.altSuggestions.take(viewer, other.username, theirs.photo.number, "any"),
  "collections.setOfPost": ({ viewer, theirs }) =>
    on.collections.setOfPost(viewer, theirs.text, { collections: [] }),
  "bookmarks.save": ({ viewer, theirs }) => on.bookmarks.save(viewer, theirs.text),
  "posts.edit": ({ viewer, other, theirs }) =>
    on.posts.edit(viewer, other.username, theirs.text.number, { version: 0, caption: "mine" }),
  "posts.remove": ({ viewer, other }) => on.posts.remove(viewer, other.username, 1),
  "chat.send": ({ viewer, other }) => on.chat.send(viewer, chatIdOf(viewer, other), words),
  "chat.sendFromForm": ({ viewer, other }) =>
    on.chat.sendFromForm(viewer, chatIdOf(viewer, other), { ...words, formKey: "" }),
  "chat.prepareMessage": ({ viewer, other }) =>
    on.chat.prepareMessage(viewer, chatIdOf(viewer, other), words),
  "chat.refAt": ({ viewer, other }) => on.chat.refAt(viewer, chatIdOf(viewer, other)),
  "chat.openImage": ({ viewer }) => on.chat.openImage(viewer, said, 96),
  "chat.typing": ({ viewer }) => on.chat.typing(viewer, said.conversationId),
  "chat.markRead": ({ viewer }) => on.chat.markRead(viewer, said.conversationId, 1),
  "chat.markOpened": ({ viewer }) => on.chat.markOpened(viewer, said.conversationId, 1),
  // it names nobody
  "chat.marks": ({ viewer }) => on.chat.marks(viewer, said.conversationId),
  "chat.mute": ({ viewer }) => on.chat.mute(viewer, said.conversationId, true),
  "chat.removeMessage": ({ viewer }) => on.chat.removeMessage(viewer, said.conversationId, 1),
  "comments.removeAll": ({ viewer, theirs }) => on.comments.removeAll(viewer, theirs.text),
  "changes.follow": ({ viewer, other }) =>
    on.changes.follow(viewer, other.username, { followerAccounts: [viewer.email] }),
  "changes.upload": ({ viewer, other }) => on.changes.upload(viewer, other.username, { posts: [] }),
  "changes.like": ({ viewer, other }) => on.changes.like(viewer, other.username, { posts: [] }),
  "changes.bookmark": ({ viewer, other }) =>
    on.changes.bookmark(viewer, other.username, { bookMarks: [] }),
  "changes.dropBookmarks": ({ viewer, other }) =>
    on.changes.dropBookmarks(viewer, other.username, 1),
  "changes.edit": ({ viewer, other }) =>
    on.changes.edit(viewer, other.id, { fName: "A", sName: "B" }),
  "threads.add": ({ viewer, other, theirs }) =>
    on.threads.add(viewer, {
      author: other.username,
      postId: theirs.text.number,
      comment: "hello",
    }),
  "threads.clear": ({ viewer, other, theirs }) =>
    on.threads.clear(viewer, `${other.username}${theirs.text.number}`),
  "blocks.mute": ({ viewer, other }) => on.blocks.mute(viewer, other.id),
  "notes.set": ({ viewer, other }) => on.notes.set(viewer, other.id, "From work"),
  "suggestions.dismiss": ({ viewer, other }) => on.suggestions.dismiss(viewer, other.id),
};

const owns: Partial<Record<keyof Features, string[]>> = {
  // of a new account, which nobody can have blocked; refuses as follow does, and shows nothing
  follows: ["removeAllOf", "followOnArrival"],
  // takeDown, clearWords: by moderators, who decide about what is hidden from them too
  posts: [
    "publish",
    "publishShown",
    "removeThese",
    "findSubmitted",
    "justPublished",
    "earlierVersions",
    "narrow",
    "nextAudience",
    "setNextAudience",
    "takeDown",
    "removeAllOf",
    "refuseNarrow",
  ],
  albums: ["create", "takeDown", "clearWords"],
  likes: ["removeAllOf"],
  comments: ["takeDown", "removeAllOf"],
  commentLikes: ["removeAllOf"],
  bookmarks: ["unsave", "removeAllOf"],
  // ids that the viewer knows, of their own
  collections: ["withPost", "among", "create", "edit", "remove", "change"],
  feed: ["newerCount", "reachLine"],
  // ids for feeds, which check at every read who may be seen
  homeLists: ["wake", "refreshSoon", "work", "start", "stop", "sweep", "removeAllOf"],
  // for visitors, and for the operator among: for many who get a post at once; who may is checked
  // beside it (live)
  explore: ["landing", "setHidden", "among"],
  tags: ["sweep"],
  search: ["sweep", "forget", "countAddresses"],
  profiles: ["edit", "update", "removeAvatar"],
  settings: [
    "get",
    "changeUsername",
    "change",
    "changeLanguages",
    "offersUsername",
    "keepUsername",
  ],
  // removes whoever it is
  // how many are on the viewer's own list
  closeFriends: ["count", "remove"],
  // of many who cannot be seen at once only the visible are answered (requests.test.ts)
  followRequests: ["acceptAll", "refuseAll", "acceptWaiting"],
  privacy: ["get", "set"],
  // what is written was prepared, and is checked again while it is written
  chat: ["sweep", "removeImagesOf", "writeMessage", "dropMessage", "takeDownMessage"],
  // a block does not prevent a report, which shows nothing of the other (moderation.test.ts)
  // a guest is nobody to block (links/guests.test.ts)
  reports: ["report", "reportAsGuest", "list"],
  notifications: [
    "mails",
    "notify",
    "retract",
    "notices",
    "markAllRead",
    "readMuted",
    "readConversation",
    "dismiss",
    "dismissAll",
    "clear",
    "settings",
    "changeSettings",
    "sweep",
  ],
  digest: ["sweep", "stop", "accountOf"],
  // of the server, for operators
  troubles: ["report", "list", "sweep"],
  push: ["publicKey", "subscribe", "unsubscribe", "isSubscribed", "checkServices"],
  appPush: ["subscribe", "find", "change", "end", "setWriter"],
  // find: accounts the viewer blocked (blocks.test.ts has that the other finds nobody)
  blocks: ["block", "unblock", "unmute", "blocked", "find", "sweep"],
  mutedWords: ["list", "mute", "unmute"],
  wordFilters: ["list", "create", "edit", "remove", "addKeyword", "editKeyword", "removeKeyword"],
  // what an id stands for, and nothing of it; the viewer's own images
  // what streams read for all of their listeners, whose rights they check (live)
  references: ["findAll", "rangeOf", "findUnclaimed", "describe", "forAnyAudience"],
  // the viewer's own blocks are theirs to see
  relations: ["find", "findAll", "relations", "markers", "mark"],
};

/** Signing in and out, uploads and imports: nothing of anybody else. */
const ownFeatures = new Set([
  "operatorSettings",
  "invitations",
  "firstOperator",
  "storage",
  "identity",
  "apps",
  "images",
  "imagePasses",
  "largeImages",
  "visitorUploads",
  "resumableUploads",
  "live",
  "idempotency",
  "providers",
  "verification",
  "recovery",
  "exports",
  "imports",
  "deviceImports",
  "importedConversations",
  "deletion",
  // for guests without an account, whoever has a block with the maker
  "sharedLinks",
  "guests",
  // moderators and operators see what a block hides; everybody else is refused
  "moderation",
  "administration",
  "dashboard",
  "doctorPass",
]);

/** What testFeatures returns besides the features. */
const noFeatures = new Set(["store", "privateStore", "files", "hints", "jobs", "mail", "db"]);

/** Ids show somebody to those who know whose they are. */
async function writersOf(read: Promise<{ ids: string[] }>): Promise<unknown> {
  return (await read).ids.map((id) => writers.get(id));
}

/** A refusal as not-found shows nothing. */
async function orNothing(read: Promise<unknown>): Promise<unknown> {
  return read.catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "not-found") return null;
    throw error;
  });
}

/** A friend, and two people who follow each other and did everything to each other's posts. */
async function makeTown(): Promise<void> {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  writers.clear();
  mine.clear();
  friend = await on.member("Friend");
  // old enough for their photos to be in Explore
  const joined = Date.now() - 2 * 86_400_000;
  [ada, bob] = [
    await on.member("Ada Ashdown", joined),
    await on.member("Bob Birchwood", joined + 1),
  ];
  friends = await on.textPost(friend);
  const postsOf = async (who: Viewer) => ({
    text: await on.textPost(who, `#everybody #by_${who.username}`),
    photo: await on.photoPost(who),
  });
  const [adas, bobs] = [await postsOf(ada), await postsOf(bob)];
  sides = [
    { viewer: ada, other: bob, theirs: bobs },
    { viewer: bob, other: ada, theirs: adas },
  ];
  ({ id: friendsComment } = await on.comments.add(friend, friends, "answer me", null));
  for (const { viewer, other, theirs } of sides) {
    await on.follows.follow(viewer, other.id);
    await on.follows.follow(viewer, friend.id);
    await on.follows.follow(friend, viewer.id);
    const { id } = await on.comments.add(viewer, friends, `by ${viewer.name}`, null);
    writers.set(id, viewer.name);
    await on.comments.add(viewer, friends, `answered by ${viewer.name}`, null, friendsComment);
    const under = await on.comments.add(viewer, theirs.text, `by ${viewer.name}`, null);
    mine.set(theirs.text.postId, under.id);
    await on.comments.add(other, theirs.text, `answered by ${other.name}`, null, under.id);
    await on.likes.like(viewer, theirs.text);
    await on.likes.like(viewer, friends);
    const { id: collection } = await on.collections.create(viewer, { title: "Saved" });
    collections.set(viewer.id, collection);
    for (const post of Object.values(theirs)) {
      await on.bookmarks.save(viewer, post);
      await on.collections.setOfPost(viewer, post, { collections: [collection] });
    }
    const { number } = theirs.photo;
    const shown = await on.posts.get(viewer, other.username, number);
    const key = shown?.pictures[0]?.key ?? "";
    await on.altSuggestions.suggest(viewer, other.username, number, { key, alt: "hello" });
  }
  // the others contribute to each album
  for (const owner of [ada, bob, friend]) {
    const { id } = await on.albums.create(owner, { title: "Summer", audience: "everyone" });
    const { token } = await on.albumMembers.makeLink(owner, id, "member");
    albums.set(owner.id, { id, token });
    for (const { viewer } of sides) {
      if (viewer !== owner) await on.albumMembers.put(owner, id, viewer.username, "contributor");
      const imageId = await on.upload(viewer);
      await on.albums.addPhoto(viewer, id, { imageId, clientKey: null });
    }
  }
  await query(
    db,
    "update accounts set website = 'https://pixels.example/@' || username where id = any($1)",
    [[ada.id, bob.id]],
  );
  for (const { viewer, other } of sides) {
    await on.closeFriends.put(viewer, other.id);
    said = await on.chat.send(viewer, chatIdOf(viewer, other), words);
  }
}

/** What a reader finds of the other: id, username, name or email. */
function foundOf(other: Viewer, answer: unknown): string[] {
  const shown = JSON.stringify(answer) ?? "";
  return [other.id, other.username, other.name, other.email].filter((text) => shown.includes(text));
}

test("every function of every feature is covered", async () => {
  await makeTown();
  const known = new Set([
    ...Object.keys(reads),
    ...Object.keys(writes),
    ...Object.entries(owns).flatMap(([feature, names]) =>
      names.map((name) => `${feature}.${name}`),
    ),
  ]);
  const unknown = Object.entries(on)
    .filter(([part, functions]) => typeof functions === "object" && !noFeatures.has(part))
    .filter(([feature]) => !ownFeatures.has(feature))
    .flatMap(([feature, functions]) => Object.keys(functions).map((name) => `${feature}.${name}`))
    .filter((name) => !known.has(name));
  expect(unknown, "add it to reads, writes or owns").toEqual([]);
});

describe("a block", () => {
  beforeAll(makeTown);

  test("leaves nothing of either to be seen by the other, in any read", async () => {
    const shown = new Set<string>();
    const look = async (side: Side) => {
      for (const [name, attempts] of Object.entries(reads)) {
        const found = await Promise.all(attempts.map((attempt) => attempt(side)));
        if (foundOf(side.other, found).length > 0) shown.add(`${name} of ${side.viewer.name}`);
      }
    };
    for (const side of sides) {
      // As if the viewer were private: whoever follows asks no more.
      const asked = [side.viewer.id, side.other.id, newId()];
      await query(db, "insert into follow_requests values ($1, $2, $3)", asked);
      await look(side);
      // a followed account is not suggested
      await on.follows.unfollow(side.viewer, side.other.id);
      await look(side);
      await on.blocks.mute(side.viewer, side.other.id);
      await look(side);
      await on.follows.follow(side.viewer, side.other.id);
    }
    // shown before, or it would prove nothing
    const all = sides.flatMap(({ viewer }) =>
      Object.keys(reads).map((name) => `${name} of ${viewer.name}`),
    );
    expect(all.filter((name) => !shown.has(name))).toEqual([]);

    await on.blocks.block(ada, bob.id);
    for (const side of sides) {
      for (const [name, attempts] of Object.entries(reads)) {
        for (const attempt of attempts) {
          const who = `${name} of ${side.viewer.name}`;
          expect(foundOf(side.other, await attempt(side)), who).toEqual([]);
        }
      }
    }
  });

  test("refuses every write as if the other did not exist", async () => {
    for (const side of sides) {
      for (const [name, attempt] of Object.entries(writes)) {
        await expect(attempt(side), name).rejects.toMatchObject({ code: "not-found" });
      }
    }
  });

  test("lets bookmarks be removed, and hides nothing from anybody else", async () => {
    for (const { viewer, other, theirs } of sides) {
      expect(await on.bookmarks.unsave(viewer, theirs.text)).toEqual({ saved: false });
      for (const reader of [null, friend]) {
        expect(await on.profiles.get(reader, other.id)).not.toBeNull();
        expect(await on.posts.get(reader, other.username, theirs.text.number)).not.toBeNull();
      }
    }
    const { items } = await on.comments.list(friend, friends, null);
    expect(items.map(({ body }) => body)).toEqual([
      "answer me",
      `by ${ada.name}`,
      `by ${bob.name}`,
    ]);
  });
});

const codeOf = (write: Promise<unknown>): Promise<unknown> =>
  write.then(
    () => null,
    (error: unknown) => (error as { code?: unknown }).code,
  );

/** Ends of a page of one's own likes or bookmarks are their own ids, of hidden posts too. */
const withoutEnds = (key: string, value: unknown) =>
  key === "first" || key === "last" ? undefined : value;

/** They show nothing of the other's posts; every other read must, or must be added here. */
const notOfPosts = new Set<string>([
  "accounts.findByAddress",
  "accounts.findById",
  "altSuggestions.ofPost",
  "follows.followers",
  "follows.following",
  "follows.between",
  "albums.get",
  "albums.of",
  "albums.mine",
  "albums.photos",
  "albumMembers.list",
  "albumMembers.invitation",
  "albumMembers.invitable",
  "closeFriends.list",
  "followRequests.list",
  "followRequests.between",
  "followRequests.count",
  "chat.list",
  "chat.conversation",
  "chat.whole",
  "chat.older",
  "chat.before",
  "chat.since",
  "conversations.at",
  "blocks.muted",
  "blocks.between",
  // the other's follow is among what they find
  "notifications.unread",
  "notifications.findUnread",
  "search.accounts",
  "search.offered",
  "elsewhere.find",
  "relations.named",
  "relations.familiarFollowers",
]);
/** They act on the other as an account, or on nothing; every other write is refused with the post. */
const notOnPosts = new Set<string>([
  "albums.edit",
  "albums.setCover",
  "albums.remove",
  "albums.addPhoto",
  "albums.putPost",
  "albums.move",
  "albums.upload",
  "albumMembers.put",
  "albumMembers.remove",
  "albumMembers.showToGuests",
  "albumMembers.leave",
  "albumMembers.makeLink",
  "albumMembers.endLink",
  "albumMembers.join",
  "follows.follow",
  "follows.unfollow",
  "follows.removeFollower",
  "followRequests.accept",
  "followRequests.refuse",
  "closeFriends.put",
  // of the friend's post
  "commentLikes.like",
  "commentLikes.unlike",
  "chat.send",
  "chat.sendFromForm",
  "chat.prepareMessage",
  "chat.refAt",
  "chat.openImage",
  "chat.typing",
  "chat.markRead",
  "chat.markOpened",
  "chat.marks",
  "chat.mute",
  "chat.removeMessage",
  "changes.follow",
  "changes.upload",
  "changes.like",
  "changes.bookmark",
  // of the viewer's own bookmarks
  "changes.dropBookmarks",
  "changes.edit",
  "blocks.mute",
  "notes.set",
  "suggestions.dismiss",
]);

/** What the side's viewer is answered by every read, each time as if for the first time. */
async function answers(side: Side): Promise<Map<string, unknown>> {
  await query(db, "update notifications set unread = true");
  await query(db, "delete from feed_visits");
  const all = new Map<string, unknown>();
  for (const [name, attempts] of Object.entries(reads)) {
    const found = [];
    for (const attempt of attempts) found.push((await attempt(side)) ?? null);
    all.set(name, JSON.parse(JSON.stringify(found, withoutEnds)));
  }
  return all;
}

describe("a post that is not for somebody", () => {
  beforeAll(makeTown);

  test("is to them as a post that never was, in every read and every write", async () => {
    const [side] = sides;
    const { viewer, other, theirs } = side;
    const posts = Object.values(theirs);
    const setAudience = async (audience: Audience) => {
      for (const { number } of posts) {
        const { version = 0 } = (await on.posts.get(other, other.username, number)) ?? {};
        await on.posts.edit(other, other.username, number, { version, audience });
      }
    };
    const open = [await answers(side)];
    await setAudience("only-me");
    const narrowed = [await answers(side)];
    await setAudience("everyone");
    await on.follows.unfollow(viewer, other.id);
    open.push(await answers(side));
    await setAudience("followers");
    const hidden = await answers(side);
    narrowed.push(hidden);

    // shown before, or it would prove nothing
    const shown = Object.keys(reads).filter((name) =>
      open.some((before, nth) => !isDeepStrictEqual(before.get(name), narrowed[nth]?.get(name))),
    );
    const ofPosts = Object.keys(reads).filter((name) => !notOfPosts.has(name));
    expect(shown.toSorted()).toEqual(ofPosts.toSorted());

    const done = [];
    for (const [name, attempt] of Object.entries(writes)) {
      if (notOnPosts.has(name)) continue;
      if ((await codeOf(attempt(side))) !== "not-found") done.push(name);
    }
    expect(done).toEqual([]);
    for (const { number } of posts) await on.posts.remove(other, other.username, number);
    const removed = await answers(side);
    for (const [name, answer] of hidden) expect(answer, name).toEqual(removed.get(name));
  });
});
