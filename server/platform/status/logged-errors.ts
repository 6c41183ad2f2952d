import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { saveErrors } from "#server/platform/db/recent-errors.ts";
import { onceAMinute, onLoggedError } from "#server/platform/log.ts";

const everyMs = 5000;
/** How many errors wait to be written; of more, the first ones say most. */
const mostWaiting = 20;

/**
 * Stores the errors that this process logs where operators read them, each once a minute. What cannot be
 * stored is only in the log. Returns how to stop.
 */
export function storeLoggedErrors(db: Database): () => Promise<void> {
  let waiting: { id: string; at: number; message: string; detail: string }[] = [];
  let writing: Promise<void> = Promise.resolve();
  const isNews = onceAMinute();
  const stopListening = onLoggedError((note) => {
    if (waiting.length >= mostWaiting || !isNews(`${note.message} ${note.detail}`)) return;
    waiting.push({ id: newId(), ...note });
  });

  function write(): Promise<void> {
    const errors = waiting;
    if (errors.length === 0) return writing;
    waiting = [];
    writing = writing.then(() => saveErrors(db, errors)).catch(() => {});
    return writing;
  }

  const timer = setInterval(write, everyMs).unref();
  return async () => {
    clearInterval(timer);
    stopListening();
    await write();
  };
}
