/** Whose upload, and which. */
export type UploadKey = { accountId: string; id: string };

/**
 * Bytes of uploads, by where in the whole file they belong. Whoever sends the same ones again changes
 * nothing: so no request has to wait for one that another process has, and that may have died.
 */
export type Parts = {
  /** Bytes that arrived, without a gap from the first on. */
  size: (key: UploadKey) => Promise<number>;
  /**
   * Adds what comes from there on; answers where that ends. What had come when the sender went away
   * is kept: the next one goes on there.
   */
  append: (key: UploadKey, from: number, chunks: AsyncIterable<Buffer>) => Promise<number>;
  /** Writes what arrived to a file. */
  copyTo: (key: UploadKey, path: string) => Promise<void>;
  remove: (key: UploadKey) => Promise<void>;
  /** All of which something lies there, or those of one account. */
  list: (accountId?: string) => Promise<UploadKey[]>;
};
