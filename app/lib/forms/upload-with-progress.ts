import { callError, toCallError } from "#app/lib/api-client.ts";

type Sending = {
  /** gets the fraction of the bytes sent, 0 to 1; at 1 the server is still processing them */
  onProgress: (fraction: number) => void;
  /** said of a broken connection, instead of the usual sentence */
  broke?: string;
  /** milliseconds after which a stalled request fails like a broken one */
  timeout?: number;
  /** aborted, it stays pending */
  signal?: AbortSignal;
};

/**
 * POSTs a form with a file and reads the JSON answer. By XMLHttpRequest, because fetch reports no upload
 * progress.
 * @throws CallError with a sentence for people
 */
export function uploadWithProgress<Answer>(
  path: string,
  fields: Record<string, string | Blob>,
  { onProgress, broke, timeout = 0, signal }: Sending,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "json";
    request.timeout = timeout;
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const answer = request.response as Answer | null;
      if (request.status < 300 && answer !== null) resolve(answer);
      else reject(toCallError(request.status, answer));
    });
    for (const lost of ["error", "timeout"]) {
      request.addEventListener(lost, () =>
        reject(broke ? callError("away", broke, 0) : toCallError(0, null)),
      );
    }
    signal?.addEventListener("abort", () => request.abort());
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    request.send(form);
  });
}
