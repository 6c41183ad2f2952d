/** What a worker says to its primary; lifecycle.ts sends it. */
export type FromWorker = {
  /** it answers requests */
  ready?: true;
  /** with `ready`: the file in which it notes what it works on */
  notes?: string | null;
  /** once a second from then on */
  alive?: true;
  /** why it could not start, in one sentence */
  failed?: string;
};

/** What a primary says to its workers. */
export type ToWorker =
  /** finish what you have and end; another one is there already */
  | { retire: true }
  /** the disk of the database has no room left, or has room again */
  | { full: boolean };
