import { DetailedError, Upload } from "tus-js-client";
import { callError, toCallError } from "#app/lib/forms/post-form.ts";
import type { Transport } from "#app/lib/forms/resumable-upload.ts";

const endpoint = "/api/uploads";
/** A line on which nothing moved for so long is as good as broken, milliseconds. */
const silenceMs = 30_000;

/**
 * Parts are a twentieth of a file: a proxy that passes on whole parts only loses no more than that
 * with the line. Without one in between, what arrived of a part is kept too.
 */
const partsOf = ({ size }: Blob) => Math.max(128 * 1024, Math.ceil(size / 20));

/** Sends a file in parts, by the tus protocol, from where the server says that it stands. */
export const sendParts: Transport["send"] = (file, { url, signal, onUrl, onAcknowledged }) =>
  new Promise((resolve, reject) => {
    let begun = false;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => end(() => reject(toCallError(0, null))), silenceMs);
    };
    function end(settle: () => void): void {
      clearTimeout(silence);
      signal.removeEventListener("abort", stop);
      void upload.abort().catch(() => undefined);
      settle();
    }
    const stop = () => end(() => reject(signal.reason as Error));

    const upload = new Upload(file as File, {
      ...(url ? { uploadUrl: url } : { endpoint }),
      headers: { Accept: "application/json" },
      chunkSize: partsOf(file),
      // When to try again, and where an upload's address is kept, are not this library's here.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => {
        heard();
        onUrl(pathOf(upload.url ?? ""));
      },
      onProgress: (bytes, total) => {
        heard();
        // the first one says where it begins, the others what left this browser
        if (!begun) onAcknowledged(bytes / total);
        begun = true;
      },
      onChunkComplete: (_bytes, accepted, total) => onAcknowledged(accepted / total),
      onSuccess: () => end(() => resolve(pathOf(upload.url ?? ""))),
      onError: (error) => {
        // read now: stopping takes the answer away
        const refusal = asCallError(error);
        end(() => reject(refusal));
      },
    });
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    heard();
    upload.start();
  });

const pathOf = (url: string) => new URL(url, location.href).pathname;

function asCallError(error: Error | DetailedError): Error {
  const answer = error instanceof DetailedError ? error.originalResponse : null;
  const sent = error instanceof DetailedError && error.originalRequest !== undefined;
  if (!sent) return callError("internal", error.message, 400);
  const refusal = toCallError(answer?.getStatus() ?? 0, parse(answer?.getBody() ?? ""));
  return Object.assign(refusal, { retryAfter: Number(answer?.getHeader("Retry-After")) || 0 });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
