import { toCallError, type CallError } from "#app/lib/api-client.ts";

type Options = {
  /** `fraction` of the bytes sent, 0 to 1; at 1 the server is still working on them */
  onProgress: (fraction: number) => void;
  /** aborted, the answer stays pending */
  signal?: AbortSignal;
  /** a stalled request fails like a broken one after so many milliseconds; 0: never */
  timeoutMs?: number;
  /** the error of a connection that breaks */
  broken?: CallError;
};

/**
 * POSTs a form, or JSON, and reads the JSON answer. By XMLHttpRequest, because fetch reports no upload progress.
 * @throws CallError with a sentence for people
 */
export function postWithProgress<Answer>(
  path: string,
  body: FormData | string,
  { onProgress, signal, timeoutMs = 0, broken = toCallError(0, null) }: Options,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "json";
    request.timeout = timeoutMs;
    request.setRequestHeader("Accept", "application/json");
    if (typeof body === "string") request.setRequestHeader("Content-Type", "application/json");
    else
      request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      });
    request.addEventListener("load", () => {
      const answer = request.response as Answer | null;
      if (request.status < 300 && answer) resolve(answer);
      else reject(toCallError(request.status, answer));
    });
    for (const lost of ["error", "timeout"]) request.addEventListener(lost, () => reject(broken));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

/** A form with these fields. */
export function formWith(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
