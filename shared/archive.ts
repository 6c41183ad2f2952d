import type { ImageView } from "#shared/views.ts";

/** An archive that a member requested, as its owner sees it. Times are epoch ms. */
export type ExportView = {
  id: string;
  state: "waiting" | "ready" | "failed";
  /** posts written so far, and all posts */
  done: number;
  total: number;
  /** of the finished archive */
  bytes: number | null;
  createdAt: number;
  /** when the archive is removed */
  expiresAt: number | null;
};

/** What a service exports. */
export const exportKinds = [
  "instagram",
  "mastodon",
  "google-photos",
  "flickr",
  "pixelfed",
  "folder",
] as const;
export type ExportKind = (typeof exportKinds)[number];

/** Where posts can come from: another Postcard, or an export. */
export type ArchiveKind = "postcard" | ExportKind;

/** An archive that a member imports. */
export type ImportView = {
  id: string;
  kind: ArchiveKind;
  /** waiting: its archive is read here; arriving: a device sends its posts one by one */
  state: "waiting" | "arriving" | "done" | "failed";
  /** posts read or sent so far, and all posts */
  done: number;
  total: number;
  /** posts created, and posts that existed already */
  taken: number;
  known: number;
  /** at its end, its newest posts are shown in feeds */
  showNewest: boolean;
  messages: {
    /** read so far, and all */
    done: number;
    total: number;
    /** created, and those that existed already */
    taken: number;
    known: number;
  };
  /** why the import failed */
  problem: string | null;
  /** what was left out one by one, in sentences */
  skipped: string[];
  /** what does not come over by its kind, in sentences that begin with a number */
  leftOut: string[];
  /** posts that its undoing removed; null where it is not undone */
  undone: number | null;
  /** its posts are being removed */
  undoing: boolean;
  createdAt: number;
};

/** An import whose posts can be removed again. */
export type UndoableImport = {
  id: string;
  kind: ArchiveKind;
  createdAt: number;
  /** that it made */
  posts: number;
  /** removed so far */
  undone: number;
  undoing: boolean;
};

/** The same as it is now. */
export type UndoQuestion = UndoableImport & {
  /** of its posts, those with comments of others */
  commented: number;
};

/** An imported conversation: its owner's copy, which nobody else reads. */
export type ImportedConversationView = {
  id: string;
  /** as in the archive: not an account of this site. Null where it does not say */
  other: { username: string; name: string } | null;
  /** epoch ms */
  newestAt: number;
};

/** An imported message, as in the archive. */
export type ImportedMessageView = {
  /** its position in the conversation; some may be missing */
  number: number;
  /** by the owner of the copy */
  sent: boolean;
  body: string;
  deleted: boolean;
  sentAt: number;
  /** it had a photo, which is included if the owner sent it */
  hasPicture: boolean;
  picture: ImageView | null;
};
