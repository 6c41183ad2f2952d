/** The database of outgoing messages. */
export const messagesDatabase = "postcard-messages";
/** The database of posts that are being written, with their photos. */
export const draftsDatabase = "postcard-posts";
/** Prefix of the key of every draft in the browser's storage. */
export const draftPrefix = "postcard-draft ";
/** Prefixes of the keys of comments in a tab's own storage: not posted yet, and waiting for a sign-in. */
export const commentKeyPrefixes = { unsent: "unsent of ", draft: "comment on " };

/** Posts with a content warning that were shown in this tab, by their ids. */
export const unveiledKey = "unveiled";

/** The cache of pages for when the server cannot be reached (public/service-worker.js). */
export const offlinePagesCache = "postcard-offline-1";

let cleared = false;

/** The member of this page signed out: nothing more of theirs is stored. */
export const isBrowserDataCleared = (): boolean => cleared;

/** The member is not signed in here any more: nothing of their feed is shown offline. */
export function clearOfflinePages(): void {
  // Not there on plain http.
  if ("caches" in window) void caches.delete(offlinePagesCache).catch(() => undefined);
}

/** At a sign-out: the next user of this browser finds no drafts. */
export function clearBrowserData(): void {
  cleared = true;
  clearOfflinePages();
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(draftPrefix)) localStorage.removeItem(key);
    }
    const own = [...Object.values(commentKeyPrefixes), unveiledKey];
    for (const key of Object.keys(sessionStorage)) {
      if (own.some((prefix) => key.startsWith(prefix))) sessionStorage.removeItem(key);
    }
    for (const name of [messagesDatabase, draftsDatabase]) indexedDB.deleteDatabase(name);
  } catch {
    // Forbidden: then nothing was stored there.
  }
}
