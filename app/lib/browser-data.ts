/** The database of outgoing messages. */
export const messagesDatabase = "postcard-messages";
/** The database of posts that are being written, with their photos. */
export const draftsDatabase = "postcard-posts";
/** The database of photos on their way into albums. */
export const albumsDatabase = "postcard-albums";
/** The database of what was chosen for imports. */
export const importsDatabase = "postcard-imports";
/** Prefix of the key of every draft in the browser's storage. */
export const draftPrefix = "postcard-draft ";
/** Key in the browser's storage: photos are on their way into albums. */
export const photosUnderWayKey = "postcard-draft of albums";

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
    // Comments, lists, what was unveiled: all of it is the member's.
    sessionStorage.clear();
    for (const name of [messagesDatabase, draftsDatabase, albumsDatabase, importsDatabase])
      indexedDB.deleteDatabase(name);
  } catch {
    // Forbidden: then nothing was stored there.
  }
}
