import * as words from "#messages/ui.json";
import { callError, toCallError } from "#app/lib/api-client.ts";

/** `fraction` of the bytes sent, 0 to 1; at 1 the server is still processing the image. */
type OnProgress = (fraction: number) => void;

/** The used part of the answer of POST /api/images. */
type ImageAnswer = { data?: { id?: string } };

/**
 * Sends an image to POST /api/images. By XMLHttpRequest, because fetch reports no upload progress.
 * @returns the id of the image, to publish a post with
 * @throws CallError with a sentence for people; nothing when `signal` aborts (it stays pending)
 */
export function uploadWithProgress(
  file: File,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/images");
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const body = request.response as ImageAnswer | null;
      if (request.status < 300 && body?.data?.id) resolve(body.data.id);
      else reject(toCallError(request.status, body));
    });
    request.addEventListener("error", () => reject(callError("away", words.connectionBroke, 0)));
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.set("image", file);
    request.send(form);
  });
}
