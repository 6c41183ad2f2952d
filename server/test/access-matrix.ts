import type { InjectOptions } from "fastify";
import { timeOf } from "#server/platform/db/ids.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

/** Everybody who can make a call. The owner made what the call is about. */
export const roles = ["visitor", "stranger", "follower", "owner"] as const;
export type Role = (typeof roles)[number];

/** The state before each request; changes by a request are undone after it. */
export type World = {
  owner: Viewer;
  /** follows the owner, likes and bookmarked the post */
  follower: Viewer;
  /** follows nobody */
  stranger: Viewer;
  /** the owner's, with a photo */
  post: MadePost;
  /** the stranger's, under the post */
  commentId: string;
  /** an image that the owner uploaded and has not used */
  uploadId: string;
  /** the image of the post, which has no description */
  imageKey: string;
  /** the stranger's, for this image */
  suggestionId: string;
  /** a decided case about the stranger's comment */
  caseId: string;
  /** its verdict */
  verdictId: string;
  /** an upload of the owner's that has received nothing yet */
  resumableId: string;
  /** the owner's, for followers; the follower is a contributor */
  albumId: string;
  /** of the owner's */
  collectionId: string;
  /** a photo of the owner's in it, by its post's id */
  albumItem: string;
  /** of the album's link for members */
  albumToken: string;
  /** the owner's, to their profile */
  linkId: string;
  /** the owner's, open, whose posts come from a device */
  importId: string;
};

/** One call: how it is made, the status each role gets, and its Cache-Control if that is not no-store. */
export type Row = Record<Role, number> & {
  caching?: RegExp;
  send: (world: World) => Omit<InjectOptions, "method">;
};

const post = ({ owner, post: { number } }: World, rest = "") =>
  `/api/posts/${owner.username}/${number}${rest}`;
const everybody = { visitor: 200, stranger: 200, follower: 200, owner: 200 };
/** The conversation of the owner and the follower, who follow each other; the owner wrote first. */
const chat = ({ owner, follower }: World, rest: string) =>
  `/api/chats/${follower.username}.${owner.username}${rest}`;
const between = { visitor: 401, stranger: 404, follower: 200, owner: 200 };
const owners = { visitor: 401, stranger: 403, follower: 403, owner: 200 };
const members = { visitor: 401, stranger: 200, follower: 200, owner: 200 };

/** None of these roles is a moderator. */
const moderators = { visitor: 401, stranger: 403, follower: 403, owner: 403 };

/** Responses to a call on an upload of the owner's. */
const resumable = { visitor: 401, stranger: 404, follower: 404, owner: 204 };

const album = ({ albumId }: World, rest = "") => `/api/albums/${albumId}${rest}`;
const readers = { visitor: 404, stranger: 404, follower: 200, owner: 200 };
const contributors = { visitor: 401, stranger: 404, follower: 204, owner: 204 };
const ownAlbum = { visitor: 401, stranger: 404, follower: 403, owner: 204 };

const ownImport = { visitor: 401, stranger: 404, follower: 404, owner: 200 };
const importedKey = `instagram:${"0".repeat(32)}`;
/** Of a collection of the owner's, which is there for nobody else. */
const ownCollection = { visitor: 401, stranger: 404, follower: 404, owner: 204 };
const collection = ({ collectionId }: World, rest = "") =>
  `/api/saved/collections/${collectionId}${rest}`;

const gone = { visitor: 204, stranger: 204, follower: 204, owner: 204 };

/** The lists of an account that everybody may see. */
function lists(...names: string[]): Record<string, Row> {
  const rows = names.map((name): [string, Row] => [
    `GET /api/accounts/:address/${name}`,
    {
      ...everybody,
      send: ({ owner }) => ({ url: `/api/accounts/${owner.username}/${name}` }),
    },
  ]);
  return Object.fromEntries(rows);
}

/** The body of a post as a client of the documented calls sends it. */
function sentPost({ postId, number }: MadePost) {
  return { postId: number, time: timeOf(postId) };
}

/**
 * Who may do what, for every address under /api and for /v1/projects: one row a route, named after its method
 * and its address as declared. The test run fails for a route without a row.
 */
export const accessMatrix: Record<string, Row> = {
  "GET /api": { ...everybody, send: () => ({ url: "/api" }) },
  "GET /api/openapi.json": {
    ...everybody,
    caching: /^public, max-age=300$/,
    send: () => ({ url: "/api/openapi.json" }),
  },

  "GET /api/feed": { ...members, send: () => ({ url: "/api/feed" }) },
  "GET /api/feed/newer": {
    ...members,
    send: ({ post: { postId } }) => ({ url: `/api/feed/newer?than=${postId}` }),
  },
  "POST /api/feed/visits": { ...members, send: () => ({ url: "/api/feed/visits" }) },
  "PUT /api/feed/caught-up": {
    ...gone,
    visitor: 401,
    send: () => ({ url: "/api/feed/caught-up" }),
  },
  "GET /api/saved/photos": { ...members, send: () => ({ url: "/api/saved/photos" }) },
  "GET /api/saved/counts": { ...members, send: () => ({ url: "/api/saved/counts" }) },
  "GET /api/saved/texts": { ...members, send: () => ({ url: "/api/saved/texts" }) },
  "GET /api/saved/collections": { ...members, send: () => ({ url: "/api/saved/collections" }) },
  "POST /api/saved/collections": {
    visitor: 401,
    stranger: 201,
    follower: 201,
    owner: 201,
    send: () => ({ url: "/api/saved/collections", payload: { title: "Kitchens" } }),
  },
  "PATCH /api/saved/collections/:id": {
    ...ownCollection,
    owner: 200,
    send: (world) => ({ url: collection(world), payload: { title: "Kitchens" } }),
  },
  "DELETE /api/saved/collections/:id": {
    ...ownCollection,
    send: (world) => ({ url: collection(world) }),
  },
  "GET /api/saved/collections/:id/posts": {
    ...ownCollection,
    owner: 200,
    send: (world) => ({ url: collection(world, "/posts") }),
  },
  "PATCH /api/saved/collections/:id/posts": {
    ...ownCollection,
    send: (world) => ({
      url: collection(world, "/posts"),
      payload: { put: [{ authorId: world.owner.id, postId: world.post.postId }] },
    }),
  },
  "GET /api/tags": { ...members, send: () => ({ url: "/api/tags?q=har" }) },
  "GET /api/tags/:tag/posts": { ...everybody, send: () => ({ url: "/api/tags/harbour/posts" }) },
  "GET /api/mentions": { ...members, send: () => ({ url: "/api/mentions?q=a" }) },
  "GET /api/search": { ...everybody, send: () => ({ url: "/api/search?q=nobody" }) },

  "GET /api/albums": { ...members, send: () => ({ url: "/api/albums" }) },
  "POST /api/albums": {
    visitor: 401,
    stranger: 201,
    follower: 201,
    owner: 201,
    send: () => ({ url: "/api/albums", payload: { title: "Summer" } }),
  },
  "GET /api/albums/:id": { ...readers, send: (world) => ({ url: album(world) }) },
  "PATCH /api/albums/:id": {
    ...ownAlbum,
    owner: 200,
    send: (world) => ({ url: album(world), payload: { audience: "everyone" } }),
  },
  "DELETE /api/albums/:id": {
    ...ownAlbum,
    send: (world) => ({ url: album(world), payload: { photos: "delete" } }),
  },
  "GET /api/albums/:id/photos": { ...readers, send: (world) => ({ url: album(world, "/photos") }) },
  "POST /api/albums/:id/photos": {
    ...contributors,
    // with an image of the owner's
    follower: 400,
    owner: 201,
    send: (world) => ({
      url: album(world, "/photos"),
      payload: { imageId: world.uploadId, clientKey: null },
    }),
  },
  "PUT /api/albums/:id/posts/:address/:number": {
    ...ownAlbum,
    send: (world) => ({
      url: album(world, `/posts/${world.owner.username}/${world.post.number}`),
    }),
  },
  "DELETE /api/albums/:id/posts/:address/:number": {
    ...ownAlbum,
    send: (world) => ({
      url: album(world, `/posts/${world.owner.username}/${world.post.number}`),
    }),
  },
  "PUT /api/albums/:id/order": {
    ...contributors,
    send: (world) => ({
      url: album(world, "/order"),
      payload: { item: world.albumItem, after: null },
    }),
  },
  "PUT /api/albums/:id/cover": {
    ...ownAlbum,
    send: (world) => ({ url: album(world, "/cover"), payload: { item: world.albumItem } }),
  },
  "GET /api/albums/:id/members": {
    ...readers,
    visitor: 401,
    send: (world) => ({ url: album(world, "/members") }),
  },
  "PUT /api/albums/:id/members/:address": {
    ...ownAlbum,
    owner: 200,
    send: (world) => ({
      url: album(world, `/members/${world.follower.username}`),
      payload: { role: "member" },
    }),
  },
  "DELETE /api/albums/:id/members/:address": {
    ...ownAlbum,
    send: (world) => ({ url: album(world, `/members/${world.follower.username}`) }),
  },
  "POST /api/albums/:id/invitation": {
    ...ownAlbum,
    owner: 201,
    send: (world) => ({ url: album(world, "/invitation"), payload: { role: "contributor" } }),
  },
  "DELETE /api/albums/:id/invitation": {
    ...ownAlbum,
    send: (world) => ({ url: album(world, "/invitation") }),
  },
  // who has the link may know what it leads to
  "GET /api/albums/join": {
    ...everybody,
    send: ({ albumToken }) => ({ url: `/api/albums/join?token=${albumToken}` }),
  },
  "POST /api/albums/join": {
    ...members,
    send: ({ albumToken }) => ({ url: "/api/albums/join", payload: { token: albumToken } }),
  },
  "DELETE /api/albums/:id/membership": {
    visitor: 401,
    stranger: 404,
    follower: 204,
    // no owner leaves
    owner: 404,
    send: (world) => ({ url: album(world, "/membership") }),
  },
  "PUT /api/albums/:id/membership": {
    visitor: 401,
    stranger: 404,
    follower: 204,
    // whose photos its links show anyway
    owner: 404,
    send: (world) => ({
      url: album(world, "/membership"),
      payload: { shownToGuests: true },
    }),
  },

  "GET /api/explore": { ...everybody, send: () => ({ url: "/api/explore" }) },

  "GET /v1/projects": { ...everybody, send: () => ({ url: "/v1/projects?key=any" }) },
  "GET /api/v1/projects": { ...everybody, send: () => ({ url: "/api/v1/projects" }) },

  "POST /api/users": {
    visitor: 400,
    stranger: 400,
    follower: 400,
    owner: 400,
    // with an image of a member, and with a counter and a list that are ignored
    send: ({ uploadId }) => ({
      url: "/api/users",
      payload: {
        email: "somebody.else@example.org",
        password: "correct horse battery 9",
        image: `http://localhost:3000/api/images/${uploadId}`,
        followers: 1000,
        followerAccounts: ["everybody"],
      },
    }),
  },
  "GET /api/session": { ...everybody, send: () => ({ url: "/api/session" }) },
  "POST /api/session": {
    visitor: 401,
    stranger: 401,
    follower: 401,
    owner: 401,
    send: ({ owner: { email } }) => ({
      url: "/api/session",
      payload: { email, password: "a guess of somebody" },
    }),
  },
  "POST /api/session/code": {
    // no sign-in waits for a code
    visitor: 401,
    stranger: 401,
    follower: 401,
    owner: 401,
    send: () => ({ url: "/api/session/code", payload: { code: "123456" } }),
  },
  // ends the caller's own session, if there is one
  "DELETE /api/session": { ...gone, send: () => ({ url: "/api/session" }) },
  "PATCH /api/identity": {
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 200,
    // with an image of the owner's
    send: ({ uploadId }) => ({
      url: "/api/identity",
      payload: { displayName: "Somebody New", photoURL: `/api/images/${uploadId}` },
    }),
  },
  "POST /api/token-sync": {
    visitor: 401,
    stranger: 401,
    follower: 401,
    owner: 401,
    // an unsigned token
    send: () => ({ url: "/api/token-sync", headers: { authorization: "Bearer e30.e30.e30" } }),
  },
  "DELETE /api/token-sync": { ...gone, send: () => ({ url: "/api/token-sync" }) },

  "GET /api/images/:id": {
    visitor: 404,
    stranger: 404,
    follower: 404,
    owner: 302,
    send: ({ uploadId }) => ({ url: `/api/images/${uploadId}` }),
  },
  "POST /api/images": {
    visitor: 400,
    stranger: 400,
    follower: 400,
    owner: 400,
    // a form without an image: uploads have tests of their own
    send: () => {
      const form = new FormData();
      form.set("note", "no picture");
      return { url: "/api/images", payload: form };
    },
  },

  // resumable uploads belong to one account (uploads.test.ts)
  "POST /api/uploads": {
    visitor: 401,
    stranger: 201,
    follower: 201,
    owner: 201,
    send: () => ({
      url: "/api/uploads",
      headers: { "tus-resumable": "1.0.0", "upload-length": "1000" },
    }),
  },
  "GET /api/uploads/:id": {
    ...resumable,
    owner: 200,
    send: ({ resumableId }) => ({ url: `/api/uploads/${resumableId}` }),
  },
  "PATCH /api/uploads/:id": {
    ...resumable,
    send: ({ resumableId }) => ({
      url: `/api/uploads/${resumableId}`,
      headers: {
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-offset": "0",
      },
      // without bytes: bytes go into files, which no test restores
      payload: Buffer.alloc(0),
    }),
  },
  "DELETE /api/uploads/:id": {
    ...resumable,
    send: ({ resumableId }) => ({
      url: `/api/uploads/${resumableId}`,
      headers: { "tus-resumable": "1.0.0" },
    }),
  },

  "GET /api/posts/:address/:number": { ...everybody, send: (world) => ({ url: post(world) }) },
  "POST /api/posts": {
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 201,
    // with an image of the owner's
    send: ({ uploadId }) => ({
      url: "/api/posts",
      payload: { caption: "A borrowed picture", pictures: [{ imageId: uploadId, alt: "" }] },
    }),
  },
  "PATCH /api/posts/:address/:number": {
    visitor: 401,
    stranger: 403,
    follower: 403,
    owner: 200,
    send: (world) => ({ url: post(world), payload: { version: 0, caption: "Said otherwise" } }),
  },
  "GET /api/posts/:address/:number/details": {
    ...everybody,
    send: (world) => ({ url: post(world, "/details") }),
  },
  "GET /api/posts/:address/:number/versions": {
    ...owners,
    send: (world) => ({ url: post(world, "/versions") }),
  },
  "DELETE /api/posts/:address/:number": {
    visitor: 401,
    stranger: 403,
    follower: 403,
    owner: 204,
    send: (world) => ({ url: post(world) }),
  },
  "GET /api/posts/:address/:number/likes": {
    ...everybody,
    send: (world) => ({ url: post(world, "/likes") }),
  },
  "PUT /api/posts/:address/:number/like": {
    ...members,
    send: (world) => ({ url: post(world, "/like") }),
  },
  "DELETE /api/posts/:address/:number/like": {
    ...members,
    send: (world) => ({ url: post(world, "/like") }),
  },
  "PUT /api/posts/:address/:number/save": {
    ...members,
    send: (world) => ({ url: post(world, "/save") }),
  },
  "PUT /api/posts/:address/:number/collections": {
    ...members,
    send: (world) => ({ url: post(world, "/collections"), payload: { collections: [] } }),
  },
  "DELETE /api/posts/:address/:number/save": {
    ...members,
    send: (world) => ({ url: post(world, "/save") }),
  },

  // the owner sees all suggestions, everybody else their own (alt-suggestions.test.ts)
  "GET /api/posts/:address/:number/alt-suggestions": {
    ...members,
    send: (world) => ({ url: post(world, "/alt-suggestions") }),
  },
  "PUT /api/posts/:address/:number/alt-suggestions": {
    ...members,
    // nobody suggests to themselves
    owner: 400,
    send: (world) => ({
      url: post(world, "/alt-suggestions"),
      payload: { key: world.imageKey, alt: "A blue field" },
    }),
  },
  "DELETE /api/posts/:address/:number/alt-suggestions/:suggestionId": {
    visitor: 401,
    // who made it
    stranger: 204,
    follower: 404,
    owner: 204,
    send: (world) => ({ url: post(world, `/alt-suggestions/${world.suggestionId}`) }),
  },

  "GET /api/posts/:address/:number/comments": {
    ...everybody,
    send: (world) => ({ url: post(world, "/comments") }),
  },
  "GET /api/posts/:address/:number/comments/standing": {
    ...everybody,
    send: (world) => {
      const { commentId: id } = world;
      return { url: post(world, `/comments/standing?from=${id}&to=${id}`) };
    },
  },
  "POST /api/posts/:address/:number/comments": {
    visitor: 401,
    stranger: 201,
    follower: 201,
    owner: 201,
    send: (world) => ({ url: post(world, "/comments"), payload: { body: "Lovely" } }),
  },
  "GET /api/posts/:address/:number/comments/:commentId": {
    ...everybody,
    send: (world) => ({ url: post(world, `/comments/${world.commentId}`) }),
  },
  "GET /api/posts/:address/:number/comments/:commentId/replies": {
    ...everybody,
    send: (world) => ({ url: post(world, `/comments/${world.commentId}/replies`) }),
  },
  "PATCH /api/posts/:address/:number/comments/:commentId": {
    // the stranger's: the post's author may delete it, not change it
    visitor: 401,
    stranger: 200,
    follower: 403,
    owner: 403,
    send: (world) => ({
      url: post(world, `/comments/${world.commentId}`),
      payload: { body: "Better said" },
    }),
  },
  "PUT /api/posts/:address/:number/comments/:commentId/like": {
    ...members,
    send: (world) => ({ url: post(world, `/comments/${world.commentId}/like`) }),
  },
  "DELETE /api/posts/:address/:number/comments/:commentId/like": {
    ...members,
    send: (world) => ({ url: post(world, `/comments/${world.commentId}/like`) }),
  },
  "DELETE /api/posts/:address/:number/comments/:commentId": {
    visitor: 401,
    // its writer
    stranger: 200,
    follower: 403,
    // the post's author
    owner: 200,
    send: (world) => ({ url: post(world, `/comments/${world.commentId}`) }),
  },

  "PUT /api/accounts/:address/follow": {
    ...members,
    // nobody follows themselves
    owner: 400,
    send: ({ owner }) => ({ url: `/api/accounts/${owner.username}/follow` }),
  },
  "DELETE /api/accounts/:address/follow": {
    ...members,
    owner: 400,
    send: ({ owner }) => ({ url: `/api/accounts/${owner.username}/follow` }),
  },

  "DELETE /api/accounts/:address/follower": {
    ...members,
    owner: 400,
    send: ({ owner }) => ({ url: `/api/accounts/${owner.username}/follower` }),
  },
  // nobody asked any of them
  "GET /api/follow-requests": { ...members, send: () => ({ url: "/api/follow-requests" }) },
  "PUT /api/follow-requests": {
    ...gone,
    visitor: 401,
    send: () => ({ url: "/api/follow-requests" }),
  },
  "DELETE /api/follow-requests": {
    ...gone,
    visitor: 401,
    send: () => ({ url: "/api/follow-requests" }),
  },
  "PUT /api/follow-requests/:id": {
    visitor: 401,
    stranger: 404,
    follower: 200,
    owner: 404,
    // who follows each other already
    send: ({ owner }) => ({ url: `/api/follow-requests/${owner.id}` }),
  },
  "DELETE /api/follow-requests/:id": {
    ...members,
    owner: 404,
    send: ({ owner }) => ({ url: `/api/follow-requests/${owner.id}` }),
  },
  "PUT /calls/private": { ...members, send: () => ({ url: "/calls/private" }) },
  "DELETE /calls/private": { ...members, send: () => ({ url: "/calls/private" }) },
  "GET /calls/close-friends": { ...members, send: () => ({ url: "/calls/close-friends" }) },
  "PUT /calls/close-friends/:id": {
    ...members,
    owner: 404,
    send: ({ owner }) => ({ url: `/calls/close-friends/${owner.id}` }),
  },
  "DELETE /calls/close-friends/:id": {
    ...members,
    send: ({ owner }) => ({ url: `/calls/close-friends/${owner.id}` }),
  },

  "GET /api/suggestions": { ...members, send: () => ({ url: "/api/suggestions" }) },
  "DELETE /api/suggestions/:id": {
    ...members,
    // nobody is suggested to themselves
    owner: 404,
    send: ({ owner }) => ({ url: `/api/suggestions/${owner.id}` }),
  },

  ...lists("counts", "followers", "following", "photos", "texts", "albums"),

  "GET /api/chats": { ...members, send: () => ({ url: "/api/chats" }) },
  "GET /api/chats/:chatId/messages": {
    ...between,
    send: (world) => ({ url: chat(world, "/messages") }),
  },
  "GET /api/chats/:chatId/messages/range": {
    ...between,
    send: (world) => ({ url: chat(world, "/messages/range?after=0") }),
  },
  "POST /api/chats/:chatId/messages": {
    ...between,
    follower: 201,
    owner: 201,
    send: (world) => ({ url: chat(world, "/messages"), payload: { body: "Hello" } }),
  },
  "POST /api/chats/:chatId/photos": {
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 400,
    // a form without an image: uploads have tests of their own (chats.test.ts)
    send: (world) => {
      const form = new FormData();
      form.set("body", "no picture");
      return { url: chat(world, "/photos"), payload: form };
    },
  },
  "DELETE /api/chats/:chatId/messages/:seq": {
    ...between,
    follower: 403,
    // its writer
    owner: 204,
    send: (world) => ({ url: chat(world, "/messages/1") }),
  },
  "PUT /api/chats/:chatId/read": {
    ...between,
    follower: 204,
    owner: 204,
    send: (world) => ({ url: chat(world, "/read"), payload: { seq: 1 } }),
  },
  "PUT /api/chats/:chatId/typing": {
    ...between,
    follower: 204,
    owner: 204,
    send: (world) => ({ url: chat(world, "/typing") }),
  },
  "PUT /api/chats/:chatId/mute": {
    ...between,
    follower: 204,
    owner: 204,
    send: (world) => ({ url: chat(world, "/mute") }),
  },
  "DELETE /api/chats/:chatId/mute": {
    ...between,
    follower: 204,
    owner: 204,
    send: (world) => ({ url: chat(world, "/mute") }),
  },
  // streams stay open: who receives what is in live.test.ts and events.test.ts
  "GET /api/events": {
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 400,
    send: () => ({ url: `/api/events?after=${"9".repeat(41)}` }),
  },
  "PUT /api/events/watched": {
    visitor: 401,
    stranger: 204,
    follower: 204,
    owner: 204,
    send: ({ post: { authorId, postId } }) => ({
      url: "/api/events/watched",
      payload: { stream: "a".repeat(22), posts: [`${authorId}.${postId}`] },
    }),
  },
  "GET /api/users": { ...everybody, send: () => ({ url: "/api/users" }) },
  "GET /api/users/:email": {
    ...everybody,
    send: ({ owner }) => ({ url: `/api/users/${owner.username}` }),
  },
  "GET /api/users/email/:email": {
    ...everybody,
    send: ({ owner }) => ({ url: `/api/users/email/${owner.email}` }),
  },
  "GET /api/users/id/:id": {
    ...everybody,
    send: ({ owner }) => ({ url: `/api/users/id/${owner.id}` }),
  },
  "PUT /api/users/:email": {
    ...members,
    // a follow of the stranger's; the follower's does not appear in it any more
    send: ({ owner, stranger }) => ({
      url: `/api/users/${owner.username}`,
      payload: { followers: 1, followerAccounts: [stranger.username] },
    }),
  },
  "PUT /api/users/upload/:email": {
    ...owners,
    // without the post: it is deleted
    send: ({ owner }) => ({
      url: `/api/users/upload/${owner.username}`,
      payload: { postsCount: 0, idParam: 1, posts: [] },
    }),
  },
  "PUT /api/users/edit/:id": {
    ...owners,
    send: ({ owner }) => ({
      url: `/api/users/edit/${owner.id}`,
      payload: { fName: "Taken", sName: "Over", fullName: "Taken Over" },
    }),
  },
  "PUT /api/post/update/:email": {
    ...members,
    // a like of the stranger's; the follower's does not appear in it any more
    send: ({ owner, stranger, post }) => ({
      url: `/api/post/update/${owner.username}`,
      payload: { posts: [{ ...sentPost(post), likes: 1, likeAccounts: [stranger.username] }] },
    }),
  },
  "PUT /api/bookMark/:email": {
    ...owners,
    send: ({ owner, post }) => ({
      url: `/api/bookMark/${owner.username}`,
      payload: { bookMarks: [{ ...sentPost(post), author: owner.username }] },
    }),
  },
  "PUT /api/delete/bookMark/:email/:postId": {
    ...owners,
    send: ({ owner, follower, post: { number } }) => ({
      url: `/api/delete/bookMark/${owner.username}/${number}`,
      payload: { followerAccounts: [follower.username], post: {} },
    }),
  },
  "GET /api/comments/:authorEmail/:postId": {
    ...everybody,
    send: ({ owner, post: { number } }) => ({ url: `/api/comments/${owner.username}/${number}` }),
  },
  "POST /api/comments": {
    visitor: 401,
    stranger: 201,
    follower: 201,
    owner: 201,
    send: ({ owner, post: { number } }) => ({
      url: "/api/comments",
      payload: { comment: "Lovely", author: owner.username, postId: number },
    }),
  },
  "DELETE /api/comments/:commentId": {
    ...owners,
    send: ({ owner, post: { number } }) => ({ url: `/api/comments/${owner.username}${number}` }),
  },
  "GET /api/chats/:chatId": {
    ...between,
    send: ({ owner, follower }) => ({ url: `/api/chats/${owner.username}${follower.username}` }),
  },

  "GET /api/links": { ...members, send: () => ({ url: "/api/links" }) },
  "POST /api/links": {
    visitor: 401,
    stranger: 404,
    follower: 404,
    owner: 201,
    send: ({ post: { number } }) => ({
      url: "/api/links",
      payload: { kind: "post", number },
    }),
  },
  "DELETE /api/links/:id": {
    visitor: 401,
    stranger: 404,
    follower: 404,
    owner: 204,
    send: ({ linkId }) => ({ url: `/api/links/${linkId}` }),
  },
  "POST /api/reports": {
    visitor: 401,
    stranger: 201,
    follower: 201,
    // nobody reports their own content
    owner: 400,
    send: ({ owner, post: { number } }) => ({
      url: "/api/reports",
      payload: { about: { kind: "post", author: owner.username, number }, reason: "spam" },
    }),
  },
  "GET /api/reports": { ...members, send: () => ({ url: "/api/reports" }) },
  "GET /api/verdicts": { ...members, send: () => ({ url: "/api/verdicts" }) },
  "POST /api/verdicts/:verdictId/answer": {
    visitor: 401,
    // the person it is about
    stranger: 204,
    follower: 404,
    owner: 404,
    send: ({ verdictId }) => ({
      url: `/api/verdicts/${verdictId}/answer`,
      payload: { words: "It was meant kindly" },
    }),
  },
  // moderators: server/features/moderation/moderation.test.ts
  "GET /api/moderation/cases": { ...moderators, send: () => ({ url: "/api/moderation/cases" }) },
  "GET /api/moderation/cases/:caseId": {
    ...moderators,
    send: ({ caseId }) => ({ url: `/api/moderation/cases/${caseId}` }),
  },
  "POST /api/moderation/cases/:caseId/verdict": {
    ...moderators,
    send: ({ caseId }) => ({
      url: `/api/moderation/cases/${caseId}/verdict`,
      payload: { act: "dismiss", reason: "Mine to say" },
    }),
  },
  "GET /api/moderation/cases/:caseId/pictures/:key": {
    ...moderators,
    send: ({ caseId, imageKey }) => ({
      url: `/api/moderation/cases/${caseId}/pictures/${imageKey}`,
    }),
  },
  "GET /api/moderation/log": { ...moderators, send: () => ({ url: "/api/moderation/log" }) },

  "GET /api/blocks": { ...members, send: () => ({ url: "/api/blocks" }) },
  "PUT /api/blocks/:id": {
    ...members,
    // nobody blocks themselves
    owner: 400,
    send: ({ owner }) => ({ url: `/api/blocks/${owner.id}` }),
  },
  "DELETE /api/blocks/:id": {
    ...members,
    owner: 400,
    send: ({ owner }) => ({ url: `/api/blocks/${owner.id}` }),
  },
  "GET /api/muted-words": { ...members, send: () => ({ url: "/api/muted-words" }) },
  "PUT /api/muted-words": { ...members, send: () => ({ url: "/api/muted-words?word=spoiler" }) },
  "DELETE /api/muted-words": { ...members, send: () => ({ url: "/api/muted-words?word=spoiler" }) },
  "GET /api/mutes": { ...members, send: () => ({ url: "/api/mutes" }) },
  "PUT /api/mutes/:id": {
    ...members,
    owner: 400,
    send: ({ owner }) => ({ url: `/api/mutes/${owner.id}` }),
  },
  "DELETE /api/mutes/:id": {
    ...members,
    owner: 400,
    send: ({ owner }) => ({ url: `/api/mutes/${owner.id}` }),
  },

  "PUT /api/notes/:id": {
    ...members,
    owner: 404,
    send: ({ owner }) => ({ url: `/api/notes/${owner.id}`, payload: { note: "From work" } }),
  },
  "GET /api/notifications": { ...members, send: () => ({ url: "/api/notifications" }) },
  "PUT /api/notifications/read": { ...members, send: () => ({ url: "/api/notifications/read" }) },
  "GET /api/notifications/settings": {
    ...members,
    send: () => ({ url: "/api/notifications/settings" }),
  },
  "PATCH /api/notifications/settings": {
    ...members,
    send: () => ({ url: "/api/notifications/settings", payload: { like: false } }),
  },
  // calls of our own pages only
  "POST /calls/imports": {
    ...members,
    send: () => ({
      url: "/calls/imports",
      payload: { kind: "instagram", audience: null, posts: 1, bytes: 1000 },
    }),
  },
  "POST /calls/imports/known": {
    ...members,
    send: () => ({ url: "/calls/imports/known", payload: { keys: [importedKey] } }),
  },
  "POST /calls/imports/people": {
    ...members,
    send: () => ({
      url: "/calls/imports/people",
      payload: { accounts: ["https://www.instagram.com/nobody"] },
    }),
  },
  "POST /calls/imports/:id/posts": {
    ...ownImport,
    send: ({ importId }) => ({
      url: `/calls/imports/${importId}/posts`,
      payload: {
        key: importedKey,
        time: Date.UTC(2015),
        caption: "brought",
        audience: "everyone",
        pictures: [],
      },
    }),
  },
  "POST /calls/imports/:id/end": {
    ...ownImport,
    send: ({ importId }) => ({ url: `/calls/imports/${importId}/end`, payload: {} }),
  },
  "POST /calls/settings": {
    ...gone,
    visitor: 401,
    send: () => ({ url: "/calls/settings", payload: { showEmail: true } }),
  },
  "POST /calls/settings/language": {
    ...gone,
    visitor: 401,
    send: () => ({
      url: "/calls/settings/language",
      payload: { language: "", postingLanguage: "" },
    }),
  },
  "POST /calls/settings/username": {
    ...members,
    send: () => ({ url: "/calls/settings/username", payload: { username: "somebody_new" } }),
  },
  "POST /calls/settings/keep-username": {
    ...gone,
    visitor: 401,
    send: () => ({ url: "/calls/settings/keep-username", payload: {} }),
  },
  "POST /calls/edit-profile": {
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 204,
    // with an image of the owner's
    send: ({ uploadId: imageId }) => ({
      url: "/calls/edit-profile",
      payload: { firstName: "Somebody", secondName: "New", imageId },
    }),
  },
  "POST /calls/forgot-password": {
    ...gone,
    send: ({ owner: { email } }) => ({ url: "/calls/forgot-password", payload: { email } }),
  },
  "POST /calls/username-check": {
    ...everybody,
    send: () => ({ url: "/calls/username-check", payload: { username: "somebody_new" } }),
  },
  "GET /calls/provider-attempt": {
    ...everybody,
    send: () => ({ url: "/calls/provider-attempt?id=of-somebody" }),
  },
  "POST /calls/passkeys": {
    // without the password
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 400,
    send: () => ({ url: "/calls/passkeys", payload: {} }),
  },
  "POST /calls/passkeys/add": {
    // without having asked the browser for a passkey
    visitor: 401,
    stranger: 400,
    follower: 400,
    owner: 400,
    send: () => ({ url: "/calls/passkeys/add", payload: { response: "{}", name: "A key" } }),
  },
  "POST /calls/passkey-sign-in": {
    ...everybody,
    send: () => ({ url: "/calls/passkey-sign-in", payload: {} }),
  },
  "POST /calls/passkey-sign-in/answer": {
    // no passkey was used
    visitor: 400,
    stranger: 400,
    follower: 400,
    owner: 400,
    send: () => ({ url: "/calls/passkey-sign-in/answer", payload: { response: "{}" } }),
  },
};
