/** Where a browser keeps messages on their way. */
export const keptMessagesDatabase = "postcard-messages";
/** Before the key of every draft in the browser's storage. */
export const draftPrefix = "postcard-draft ";

/** At a sign-out: whoever uses this browser next finds nothing that was being written. */
export function forgetKeptMessages(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(draftPrefix)) localStorage.removeItem(key);
    }
    indexedDB.deleteDatabase(keptMessagesDatabase);
  } catch {
    // Forbidden: then nothing was kept there.
  }
}
