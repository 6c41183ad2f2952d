/** What the features answer and the screens and programs show. Ids are UUIDv7, times epoch ms. */

export type PictureView = {
  /** content address; see pictureUrl in shared/pictures.ts */
  key: string;
  width: number;
  height: number;
  /** widths in pixels a variant exists in, ascending */
  widths: number[];
  /** thumbhash, base64 */
  thumbhash: string;
  /** of what a square cuts from its long side, percent at the beginning; the middle where unknown */
  focus?: number | null;
  alt: string;
};

/** An account as others see it: never its email. */
export type AccountSummary = {
  id: string;
  username: string;
  /** full name; the username where no name was given */
  name: string;
  avatar: PictureView | null;
};

/** The signed-in member of a request. */
export type Viewer = AccountSummary & {
  sessionId: string;
  email: string;
  /** its mailbox answered */
  emailVerified: boolean;
  firstName: string;
  secondName: string;
  /** counted to 99, as the session was looked up; missing where nothing was looked up */
  unreadNotifications?: number;
  /** conversations with something new; likewise */
  unreadMessages?: number;
};

/** Bytes of a member's pictures, and how many there may be; null: as many as there is room for. */
export type StorageView = { bytes: number; quota: number | null };

export type CommentView = {
  id: string;
  author: AccountSummary;
  body: string;
  createdAt: number;
  /** the viewer may delete it: its writer or the post's author */
  deletable: boolean;
};

export type PostView = {
  id: string;
  /** /post/{author.username}/{number} */
  number: number;
  author: AccountSummary;
  caption: string;
  pictures: PictureView[];
  createdAt: number;
  /** it came out of an archive: its time is what the archive says */
  imported: boolean;
  /** when its words or photos changed last; null: as it was posted */
  editedAt: number | null;
  /** counts its changes, descriptions of photos included: an edit names the one it was made from */
  version: number;
  likeCount: number;
  commentCount: number;
  liked: boolean;
  saved: boolean;
  mine: boolean;
};

/** What a post said before an edit: its author's alone. */
export type EarlierVersion = {
  caption: string;
  /** until when it said so */
  replacedAt: number;
};

/** A post of the home feed, with its newest comments (two at most, oldest first). */
export type FeedPost = PostView & { comments: CommentView[] };

/** A post as a grid shows it. */
export type PostTile = {
  id: string;
  number: number;
  authorUsername: string;
  picture: PictureView | null;
  pictureCount: number;
  caption: string;
  createdAt: number;
};

export type Page<Item> = {
  items: Item[];
  /** pass it back for the next page; null at the end */
  nextCursor: string | null;
};

export type ProfileView = {
  account: AccountSummary;
  bio: string;
  website: string;
  /** only where its owner shows it to everybody */
  email: string | null;
  counts: { posts: number; followers: number; following: number };
  /** the viewer follows this account */
  following: boolean;
  /** this account follows the viewer */
  followsViewer: boolean;
  /** the viewer muted this account; nobody else learns of it */
  muted: boolean;
  isViewer: boolean;
};

/** A message as both of its members see it. */
export type MessageView = {
  conversationId: string;
  /** counted from 1 in its conversation, without a gap: the order both sides see */
  seq: number;
  id: string;
  senderId: string;
  /** empty when it was deleted */
  body: string;
  /** see messagePicture in shared/chat.ts */
  picture: Omit<PictureView, "key" | "alt"> | null;
  deleted: boolean;
  createdAt: number;
  /** the key its sender's client gave it */
  clientKey: string | null;
};

/** The other party of a conversation; null when that account is gone. */
type OtherParty = AccountSummary | null;

/** A line of the list of chats. */
export type ChatSummary = {
  chatId: string;
  conversationId: string | null;
  other: OtherParty;
  last: MessageView | null;
  /** messages of the other party that the viewer has not seen; 99 stands for more */
  unread: number;
  muted: boolean;
};

/** A conversation as one of its two members sees it. */
export type ThreadView = {
  chatId: string;
  /** null until the first message */
  conversationId: string | null;
  other: OtherParty;
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
  showEmail: boolean;
  findableByEmail: boolean;
  /** asked before photos without a description are posted */
  altReminder: boolean;
};

/** A place where a member is signed in, as the member alone sees it. */
export type SessionView = {
  id: string;
  device: DeviceView;
  /** the address it was begun from; empty where none is known */
  ip: string;
  startedAt: number;
  /** to within some minutes */
  usedAt: number;
  /** the one that asks */
  current: boolean;
};

/** A passkey, as its owner sees it. */
export type PasskeyView = {
  id: string;
  name: string;
  /** it is kept by more than one device */
  synced: boolean;
  addedAt: number;
  usedAt: number | null;
};

/** A member's second factor, as the member alone sees it. */
export type TwoFactorStatus = {
  on: boolean;
  since: number | null;
  recoveryCodesLeft: number;
};

/** What a browser or program says it is. */
export type DeviceView = {
  /** "Firefox on Windows", "curl", "Unknown device" */
  name: string;
  kind: "computer" | "phone" | "tablet" | "program";
};

export type PostKind = "photos" | "texts";

/** What a member sees of the own address. */
export type EmailState = {
  /** as typed */
  email: string;
  verified: boolean;
  /** a change asks for the password; else for a fresh sign-in */
  asksPassword: boolean;
  /** letters arrive by themselves; else the operator passes them on */
  mailLeaves: boolean;
  /** another address that waits to be confirmed, as typed, and when it was asked for (epoch ms) */
  pending: { email: string; askedAt: number } | null;
};
