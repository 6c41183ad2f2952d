import { callError, toCallError } from "#app/lib/forms/post-form.ts";

/** A picture on its way to the server. */
export type UploadHandle = {
  /** @throws CallError with a sentence for people */
  done: Promise<{ imageId: string }>;
  pause: () => void;
  resume: () => void;
  /** Given up: `done` stays pending. */
  cancel: () => void;
};

export type UploadOptions = {
  /** where an earlier upload of the same file stopped */
  url?: string;
  /** hears where it can be taken up again */
  onUrl?: (url: string) => void;
  /** of its bytes that are sent, 0 to 1; at 1 the server is still reading the picture */
  onProgress?: (fraction: number) => void;
  /** the line is away, and it goes on by itself when it is back */
  onWaiting?: (waiting: boolean) => void;
};

/** What we read of the answer of POST /api/images. */
type ImageAnswer = { data?: { id?: string } };

/**
 * Sends a picture. By XMLHttpRequest, because fetch tells no progress of what it sends; resumed, it
 * begins again.
 */
export function startUpload(file: Blob, { onProgress }: UploadOptions = {}): UploadHandle {
  const { promise: done, resolve, reject } = Promise.withResolvers<{ imageId: string }>();
  let request: XMLHttpRequest | null = null;

  function send(): void {
    const sending = new XMLHttpRequest();
    request = sending;
    sending.open("POST", "/api/images");
    sending.responseType = "json";
    sending.setRequestHeader("Accept", "application/json");
    sending.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0 && request === sending) onProgress?.(loaded / total);
    });
    sending.addEventListener("load", () => {
      const body = sending.response as ImageAnswer | null;
      if (sending.status < 300 && body?.data?.id) resolve({ imageId: body.data.id });
      else reject(toCallError(sending.status, body));
    });
    sending.addEventListener("error", () =>
      reject(callError("away", "The connection broke while your photo was on its way.", 0)),
    );
    const form = new FormData();
    form.set("image", file);
    sending.send(form);
  }

  function pause(): void {
    request?.abort();
    request = null;
  }

  send();
  return {
    done,
    pause,
    resume: () => {
      if (!request) send();
    },
    cancel: pause,
  };
}
