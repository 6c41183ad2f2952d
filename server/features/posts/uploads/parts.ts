/** An account, and one of its uploads. */
export type UploadKey = { accountId: string; id: string };

/**
 * Bytes of uploads, by their position in the whole file. Sending the same ones again changes nothing, so no
 * request has to wait for one that another process handles, and that may have died.
 */
export type Parts = {
  /** The number of bytes that arrived, without a gap from the first one on. */
  size: (key: UploadKey) => Promise<number>;
  /**
   * Adds what arrives from there on; returns where that ends. If the sender disconnects, what had arrived is
   * stored: the next request continues there.
   */
  append: (key: UploadKey, from: number, chunks: AsyncIterable<Buffer>) => Promise<number>;
  /** Writes what arrived to a file. */
  copyTo: (key: UploadKey, path: string) => Promise<void>;
  remove: (key: UploadKey) => Promise<void>;
  /** All uploads that have stored bytes, or those of one account. */
  list: (accountId?: string) => Promise<UploadKey[]>;
};
