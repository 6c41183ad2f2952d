import type { ImageView } from "#shared/views.ts";

/** An archive that a member asked for, as its owner sees it. Times are epoch ms. */
export type ExportView = {
  id: string;
  state: "waiting" | "ready" | "failed";
  /** posts written, and posts there are */
  done: number;
  total: number;
  /** of the finished archive */
  bytes: number | null;
  createdAt: number;
  /** the archive is removed then */
  expiresAt: number | null;
};

/** An archive that a member brought along. */
export type ImportView = {
  id: string;
  state: "waiting" | "done" | "failed";
  /** posts looked at, and posts there are */
  done: number;
  total: number;
  /** posts made, and posts that were there already */
  taken: number;
  known: number;
  messages: {
    /** looked at, and there are */
    done: number;
    total: number;
    /** made, and those that were there already */
    taken: number;
    known: number;
  };
  /** why it came to nothing */
  problem: string | null;
  /** what was left out, in sentences; the first twenty */
  skipped: string[];
  createdAt: number;
};

/** A conversation that came along in an archive: its owner's copy, which nobody else reads. */
export type ImportedConversationView = {
  id: string;
  /** as the archive says: nobody of this installation. Null where it does not say */
  other: { username: string; name: string } | null;
  /** epoch ms */
  newestAt: number;
};

/** A message of one, as the archive says it was. */
export type ImportedMessageView = {
  /** its place in the conversation; some may be missing */
  number: number;
  /** by the owner of the copy */
  sent: boolean;
  body: string;
  deleted: boolean;
  sentAt: number;
  /** there was one; it is here where the owner sent it */
  hasPicture: boolean;
  picture: ImageView | null;
};
