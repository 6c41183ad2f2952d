/** What a worker sends to its primary, by lifecycle.ts. */
export type FromWorker = {
  /** it answers requests */
  ready?: true;
  /** with `ready`: the file in which it notes what it is working on */
  notes?: string | null;
  /** sent once a second after that */
  alive?: true;
  /** why it could not start, in one sentence */
  failed?: string;
};

/** What a primary sends to its workers. */
export type ToWorker =
  /** finish the work in progress and end; a successor is already running */
  | { retire: true }
  /** the disk of the database has no room left, or has room again */
  | { full: boolean };
