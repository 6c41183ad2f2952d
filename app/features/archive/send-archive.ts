import { refuseEarly } from "#shared/early-refusals.ts";
import { connectionBroke } from "#messages/bring.json";
import { limits } from "#shared/limits.ts";
import { callError } from "#app/lib/api-client.ts";
import { formWith, postWithProgress } from "#app/lib/forms/post-with-progress.ts";

/**
 * Uploads an archive, reporting the fraction sent, 0 to 1. Throws a CallError or a refusal with a sentence for
 * people.
 */
export async function sendArchive(
  file: File | null,
  { audience, showNewest }: { audience: string; showNewest: boolean },
  onProgress: (fraction: number) => void,
): Promise<void> {
  await loadSentences();
  if (!file || file.size === 0) throw refuseEarly("archive-required");
  if (file.size > limits.archive.bytes) throw refuseEarly("archive-too-heavy");
  const broken = callError("away", connectionBroke, 0);
  await postWithProgress("/calls/import", formWith({ audience, ...(showNewest && { showNewest: "on" }), archive: file }), {
    onProgress,
    broken,
  });
}
