import { z } from "zod";
import { commentProblem } from "#shared/comments.ts";
import { limits } from "#shared/limits.ts";
import { bioProblem, nameProblem } from "#shared/profiles.ts";
import { checkedText } from "#shared/text.inputs.ts";
import { cleanName, cleanText } from "#shared/text.ts";

/**
 * The entities of the documented calls, field by field as the specification names them, and what such
 * clients send back. An address is an email or a username; addresses of others are usernames unless they
 * show their email.
 */

const { sentEntries } = limits.documents;

const address = z.string().describe("the email or username of an account");
const imageUrl = z.string().describe("the address of a picture of this server");

const documentedPost = z
  .object({
    postId: z.int().describe("the author's `idParam` plus 1 when it was made; never given twice"),
    caption: z.string(),
    uploadImg: imageUrl.optional().describe("missing for a text-only post"),
    currentDate: z.int().describe("day of the month where the author was"),
    currentMonth: z.int().describe("1 to 12"),
    currentYear: z.int(),
    currentHours: z.string().describe("`h:mm am` or `h:mm pm`"),
    likes: z.int().describe("all of them, also where `likeAccounts` is shortened"),
    likeAccounts: z
      .array(address)
      .describe("newest last, shortened from the oldest on; the caller is always in it"),
    author: address,
    time: z.int().describe("epoch milliseconds, by the server's clock"),
  })
  .meta({ id: "DocumentedPost" });

export const documentedUser = z
  .object({
    _id: z.string(),
    email: address.describe("the caller's own email; of others the address they are known by"),
    image: z.string().describe("the address of the profile picture, empty without one"),
    fName: z.string(),
    sName: z.string(),
    fullName: z.string().describe("both names, the username where none was given"),
    bio: z.string(),
    followers: z.int(),
    following: z.int(),
    postsCount: z.int(),
    idParam: z.int().describe("the number of the newest post ever made"),
    followerAccounts: z.array(address).describe("newest last"),
    followingAccounts: z.array(address).describe("newest last"),
    posts: z.array(documentedPost).describe("newest last"),
    bookMarks: z.array(documentedPost).describe("the caller's own, latest last; of others none"),
  })
  .meta({ id: "DocumentedUser" });

export const documentedComment = z
  .object({
    _id: z.string(),
    comment: z.string(),
    commentAccount: address,
    commentImg: z.string().describe("the writer's present profile picture"),
    commentName: z.string().describe("the writer's present name"),
    author: address.describe("the post's author"),
    postId: z.int(),
    commentId: z.string().describe("`author` joined with `postId`: the thread of one post"),
  })
  .meta({ id: "DocumentedComment" });

export const documentedChat = z
  .object({
    chatId: z.string(),
    user1: address,
    user2: address,
    messages: z.array(z.object({ from: address, msg: z.string(), time: z.int() })),
  })
  .meta({ id: "DocumentedChat" });

/**
 * Fields that clients send with their copy and nobody reads: whatever they contain, they are no reason to
 * refuse.
 */
function unread(type: "integer" | "string" | "array", description: string) {
  const items = type === "array" ? { items: {} } : {};
  return z
    .unknown()
    .optional()
    .meta({ type, ...items, description: `${description}, not read` });
}

const counter = unread("integer", "derived by the server");
const sentAddresses = z.array(z.string().max(320)).max(sentEntries);

/** A post as a client sends it back, or sends a new one. Unnamed fields are not read. */
const sentPost = z.object({
  postId: z.int().min(0),
  time: z.int().min(0),
  caption: z.string().nullish(),
  uploadImg: z.string().max(2000).nullish(),
  currentDate: z.number().nullish(),
  currentMonth: z.number().nullish(),
  currentYear: z.number().nullish(),
  currentHours: z.string().max(20).nullish(),
  likes: counter,
  likeAccounts: sentAddresses.optional(),
  author: z.string().max(320).nullish(),
});

export const followInput = z
  .object({
    followers: counter,
    followerAccounts: sentAddresses.optional(),
    following: counter,
    followingAccounts: sentAddresses.optional(),
  })
  .refine(({ followerAccounts, followingAccounts }) => followerAccounts ?? followingAccounts, {
    path: ["followerAccounts"],
    message: "Send followers and followerAccounts, or following and followingAccounts.",
  });

export const uploadInput = z.object({
  postsCount: counter,
  idParam: counter,
  posts: z.array(sentPost).max(sentEntries),
});

export const likesInput = z.object({ posts: z.array(sentPost).max(sentEntries) });

export const bookmarksInput = z.object({
  bookMarks: z
    .array(sentPost.extend({ time: z.int().min(0).optional(), author: z.string().max(320) }))
    .max(sentEntries),
});

/** Whose bookmarks and which post: the server knows both, so what is sent is not read. */
export const dropBookmarksInput = z
  .object({ followerAccounts: z.unknown(), post: z.unknown() })
  .partial()
  .nullish();

function sentName(label: "First name" | "Second name") {
  return z
    .string("required*")
    .transform(cleanName)
    .superRefine((text, context) => {
      const message = nameProblem(label, text);
      if (message) context.addIssue({ code: "custom", message });
    });
}

export const editUserInput = z.object({
  fName: sentName("First name"),
  sName: sentName("Second name"),
  fullName: unread("string", "made from both names"),
  bio: checkedText(bioProblem).nullish(),
  image: z.string().max(2000).nullish().describe("a picture that this server gave to the caller"),
});

export const commentInput = z.object({
  comment: z.string("required*").superRefine((text, context) => {
    const message = commentProblem(cleanText(text));
    if (message) context.addIssue({ code: "custom", message });
  }),
  author: z.string("required*").max(320).describe("the post's author"),
  postId: z.union(
    [
      z.int().min(1),
      z
        .string()
        .regex(/^[1-9]\d{0,14}$/)
        .transform(Number),
    ],
    {
      error: "Posts are numbered from 1.",
    },
  ),
  commentAccount: z.string().max(320).nullish().describe("the caller, or nothing"),
  commentImg: unread("string", "the writer's present picture is shown"),
  commentName: unread("string", "the writer's present name is shown"),
  commentId: unread("string", "made from `author` and `postId`"),
});

const emptyList = unread("array", "a new account has none");

/** A sign-up. Its fields are validated by the sign-up itself. */
export const newUserInput = z.object({
  email: z.string("required*").max(320),
  password: z.string("required*").max(1024),
  image: z
    .string("Please select a profile image")
    .max(2000)
    .describe("`data.display_url` of a picture you sent with `POST /api/images` in the last hour"),
  invitation: z
    .string()
    .max(200)
    .nullish()
    .describe("the code of an invitation, where this server takes new accounts by invitation"),
  fName: z.string().max(2000).nullish(),
  sName: z.string().max(2000).nullish(),
  username: z.string().max(200).nullish().describe("left out or empty: made from the names"),
  fullName: unread("string", "made from both names"),
  followers: counter,
  following: counter,
  postsCount: counter,
  idParam: counter,
  followerAccounts: emptyList,
  followingAccounts: emptyList,
  posts: emptyList,
  bookMarks: emptyList,
});

/** The answer to a write: whether there was something to change, and whether it was changed. */
export const changeAnswer = z
  .object({
    matchedCount: z.int().describe("1: what was to be changed is there"),
    modifiedCount: z.int().describe("1 when something was changed, 0 when it was so already"),
    postId: z.int().optional().describe("the number that a new post got"),
    time: z.int().optional().describe("the moment that a new post got, epoch milliseconds"),
  })
  .meta({ id: "DocumentedChange" });

export type DocumentedPost = z.output<typeof documentedPost>;
export type DocumentedUser = z.output<typeof documentedUser>;
export type DocumentedComment = z.output<typeof documentedComment>;
export type DocumentedChat = z.output<typeof documentedChat>;
export type SentPost = z.output<typeof sentPost>;
export type FollowInput = z.output<typeof followInput>;
export type UploadInput = z.output<typeof uploadInput>;
export type LikesInput = z.output<typeof likesInput>;
export type BookmarksInput = z.output<typeof bookmarksInput>;
export type EditUserInput = z.output<typeof editUserInput>;
export type SentComment = z.output<typeof commentInput>;
export type Change = z.output<typeof changeAnswer>;
