import * as words from "#messages/data.json";
import type { ImportView } from "#shared/archive.ts";
import { ImportOutcome } from "#app/features/archive/import-outcome.tsx";
import { JobProgress } from "#app/features/archive/job-progress.tsx";

/** How the last import stands: its archive is being read by the server, or its outcome. */
export const ImportState = ({ latest }: { latest: ImportView }) =>
  latest.state === "waiting" ? (
    <JobProgress label={words.importRunning} {...progressOf(latest)} />
  ) : (
    <ImportOutcome latest={latest} />
  );

/** Posts come first, then messages. */
function progressOf({ done, total, messages }: ImportView) {
  const postsLeft = done < total || messages.total === 0;
  return postsLeft
    ? { done, total, counts: words.postsOf }
    : { ...messages, counts: words.messagesOf };
}
