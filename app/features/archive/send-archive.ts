import { refuseEarly } from "#shared/early-refusals.ts";
import { connectionBroke } from "#messages/bring.json";
import { limits } from "#shared/limits.ts";
import { callError, toCallError } from "#app/lib/api-client.ts";
import { loadSentences } from "#app/lib/text/said.ts";

/**
 * Uploads an archive, reporting the fraction sent, 0 to 1. By XMLHttpRequest, because fetch reports no
 * upload progress. Throws a CallError or a refusal with a sentence for people.
 */
export async function sendArchive(
  file: File | null,
  { audience, showNewest }: { audience: string; showNewest: boolean },
  onProgress: (fraction: number) => void,
): Promise<void> {
  await loadSentences();
  if (!file || file.size === 0) throw refuseEarly("archive-required");
  if (file.size > limits.archive.bytes) throw refuseEarly("archive-too-heavy");
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/calls/import");
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      if (request.status < 300) resolve();
      else reject(toCallError(request.status, request.response));
    });
    request.addEventListener("error", () => reject(callError("away", connectionBroke, 0)));
    const form = new FormData();
    form.set("audience", audience);
    if (showNewest) form.set("showNewest", "on");
    form.set("archive", file);
    request.send(form);
  });
}
