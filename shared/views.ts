import type { z } from "zod";
import type {
  albumInvitationSchema,
  albumMemberSchema,
  albumPhotoSchema,
  albumSchema,
  albumTileSchema,
} from "#shared/albums.schemas.ts";
import type { bookmarkCountsSchema, collectionSchema } from "#shared/bookmarks.schemas.ts";
import type { ShownExtraField } from "#shared/extra-fields.ts";
import type { ChosenLanguages } from "#shared/languages.ts";
import type { ShownField } from "#shared/profiles.ts";
import type { Switches } from "#shared/settings.ts";
import type {
  accountElsewhereSchema,
  accountSchema,
  altSuggestionSchema,
  commentSchema,
  commentThreadSchema,
  countsSchema,
  earlierVersionSchema,
  feedPostSchema,
  foundAccountSchema,
  hiddenAccountSchema,
  pageOf,
  postSchema,
  postTileSchema,
  suggestedAccountSchema,
  tagSchema,
} from "#shared/views.schemas.ts";
import type { conversationSummarySchema, messageSchema } from "#shared/chat.schemas.ts";
import type { imageSchema } from "#shared/images.schemas.ts";

/**
 * What the features return and the screens and programs show. Ids are UUIDv7, times epoch ms. Views that
 * calls for programs return, too, are in views.schemas.ts: here are only their types, because zod stays out
 * of the browser.
 */

/** An image; its address is imageUrl in shared/image-urls.ts. */
export type ImageView = z.infer<typeof imageSchema>;

/** An account as others see it: never its email. */
export type AccountSummary = z.infer<typeof accountSchema>;

/** An account whose profile names one on another service. */
export type AccountElsewhere = z.infer<typeof accountElsewhereSchema>;

/** An account that its reader blocked or muted. */
export type HiddenAccount = z.infer<typeof hiddenAccountSchema>;

/** An account as a search finds it. */
export type FoundAccount = z.infer<typeof foundAccountSchema>;

/** An account that the viewer may want to follow. */
export type SuggestedAccount = z.infer<typeof suggestedAccountSchema>;

/** The signed-in member of a request. */
export type Viewer = AccountSummary & {
  sessionId: string;
  email: string;
  /** its email is confirmed */
  emailVerified: boolean;
  firstName: string;
  secondName: string;
  /** may decide about reports */
  moderator?: boolean;
  /** an operator of the site: may do in the browser what the command line does */
  operator?: boolean;
  /** counted to 99, as a page looked the session up; missing elsewhere */
  unreadNotifications?: number;
  /** conversations with something new; likewise */
  unreadMessages?: number;
  /** what has a content warning is shown to the member at once */
  showVeiled?: boolean;
  /** of the screens; missing: what the browser asks for */
  language?: string;
  /** of what the member writes; missing: that of the screens */
  postingLanguage?: string;
  /** words and phrases that the member muted; likewise missing where there are none */
  mutedWords?: readonly string[];
};

/** Bytes of a member's images, and the allowed number; null: no limit but the disk. */
export type StorageView = { bytes: number; quota: number | null };

export type CommentView = z.infer<typeof commentSchema>;

/** A comment with its first replies. */
export type CommentThread = z.infer<typeof commentThreadSchema>;

/** Its page is at /post/{author.username}/{number}. */
export type PostView = z.infer<typeof postSchema>;

/** A post before an edit: for its author only. */
export type EarlierVersion = z.infer<typeof earlierVersionSchema>;

/** A suggested alt text of a photo. */
export type AltSuggestion = z.infer<typeof altSuggestionSchema>;

/** A post of the home feed, with its newest comments (two at most, oldest first). */
export type FeedPost = z.infer<typeof feedPostSchema>;

/** A post as a grid shows it. */
export type PostTile = z.infer<typeof postTileSchema>;

/** Saved posts under a title. */
export type Collection = z.infer<typeof collectionSchema>;

/** An album as its page shows it, at /album/{id}. */
export type AlbumView = z.infer<typeof albumSchema>;

/** An album in a list. */
export type AlbumTile = z.infer<typeof albumTileSchema>;

/** A photo in an album: its post. */
export type AlbumPhoto = z.infer<typeof albumPhotoSchema>;

export type AlbumMember = z.infer<typeof albumMemberSchema>;

/** What somebody who has the link of an album sees before they join. */
export type AlbumInvitation = z.infer<typeof albumInvitationSchema>;

/** How many bookmarks a member has, counted to 100. */
export type BookmarkCounts = z.infer<typeof bookmarkCountsSchema>;

/** A tag that begins with the typed text, and how many posts have it. */
export type TagView = z.infer<typeof tagSchema>;

export type Page<Item> = z.infer<ReturnType<typeof pageOf<z.ZodType<Item>>>>;

export type ProfileView = Record<ShownField, string> & {
  account: AccountSummary;
  /** since when the website is known to lead back, epoch milliseconds */
  websiteVerifiedAt: number | null;
  extraFields: ShownExtraField[];
  /** usernames in the bio that belong to an account */
  mentions: string[];
  /** only where its owner shows it to everybody */
  email: string | null;
  counts: z.infer<typeof countsSchema>;
  /** the viewer follows this account */
  following: boolean;
  /** the viewer asked to follow it, and waits for an answer */
  requested: boolean;
  /** this account follows the viewer */
  followsViewer: boolean;
  /** the viewer muted this account; nobody else learns of it */
  muted: boolean;
  /** what the viewer noted about it; empty: nothing. Nobody else reads it */
  note: string;
  /** its posts are for its followers at most */
  isPrivate: boolean;
  /** the viewer may read whom it follows and who follows it */
  listsOpen: boolean;
  /** the viewer may see an album of theirs */
  hasAlbums: boolean;
  isViewer: boolean;
};

/** A message as both of its members see it. */
export type MessageView = z.infer<typeof messageSchema>;

/** A row of the list of conversations. */
export type ConversationSummary = z.infer<typeof conversationSummarySchema>;

/** A conversation as one of its two members sees it. */
export type ConversationView = {
  chatId: string;
  /** null until the first message */
  conversationId: string | null;
  /** the other party; null when that account is gone */
  other: AccountSummary | null;
  /** the two follow each other: messages can be sent */
  open: boolean;
  muted: boolean;
  /** up to which message the viewer, and the other party, have seen it */
  readSeq: number;
  otherReadSeq: number;
  /** newest first */
  messages: Page<MessageView>;
};

/** What a member sees and changes in Settings: never anybody else's. */
export type OwnSettings = {
  username: string;
  /** epoch ms from which on the username can be changed; null when it can be now */
  usernameFixedUntil: number | null;
  /** as typed at sign-up */
  email: string;
} & ChosenLanguages &
  Switches;

/** A session of a member, as only the member sees it. */
export type SessionView = {
  id: string;
  device: DeviceView;
  /** the network address it was begun from; empty where none is known */
  ip: string;
  startedAt: number;
  /** to within some minutes */
  usedAt: number;
  /** the current one */
  current: boolean;
};

/** A passkey, as its owner sees it. */
export type PasskeyView = {
  id: string;
  name: string;
  /** it is synced to more than one device */
  synced: boolean;
  addedAt: number;
  usedAt: number | null;
};

/** A member's second factor, as only the member sees it. */
export type TwoFactorStatus = {
  on: boolean;
  since: number | null;
  recoveryCodesLeft: number;
};

/** A browser or program, by its own description. */
export type DeviceView = {
  /** "Firefox on Windows", "curl", "Unknown device" */
  name: string;
  kind: "computer" | "phone" | "tablet" | "program";
};

export type PostKind = "photos" | "texts";

/** What a member sees of their own address. */
export type EmailState = {
  /** as typed */
  email: string;
  verified: boolean;
  /** a change needs the password; otherwise a fresh sign-in */
  asksPassword: boolean;
  /** the server sends mail itself; otherwise the operator passes it on */
  mailLeaves: boolean;
  /** another address that waits for confirmation, as typed, and when it was requested (epoch ms) */
  pending: { email: string; askedAt: number } | null;
};
