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
  /** why it came to nothing */
  problem: string | null;
  /** what was left out, in sentences; the first twenty */
  skipped: string[];
  createdAt: number;
};
