import type { testApp } from "#server/test/app.ts";
import type { Viewer } from "#shared/views.ts";

type Upload = {
  call: Awaited<ReturnType<typeof testApp>>["call"];
  viewer: Viewer;
  photo: Buffer;
  /** what it is for, as Upload-Metadata has it */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** that it says it has */
  bytes?: number;
};

/** In every request about an upload. */
export const tusVersion = { "tus-resumable": "1.0.0" };
const inBase64 = (text: string) => Buffer.from(text).toString("base64");

/** Begins an upload in parts: its address, or the code of its refusal. */
export async function beginUpload(upload: Upload): Promise<string> {
  const { call, viewer, photo, metadata, bytes = photo.length } = upload;
  const pairs = Object.entries(metadata ?? {}).map(([name, value]) => `${name} ${inBase64(value)}`);
  const headers = {
    ...tusVersion,
    "upload-length": String(bytes),
    ...(metadata && { "upload-metadata": pairs.join() }),
  };
  const answer = await call(viewer, "POST", "/api/uploads", { headers });
  return answer.statusCode === 201 ? String(answer.headers.location) : answer.json().error.code;
}

/** Sends the photo in one part: its image's id. */
export async function sendUpload(upload: Upload): Promise<string> {
  const { call, viewer, photo } = upload;
  const url = await beginUpload(upload);
  const type = { "content-type": "application/offset+octet-stream" };
  const headers = { ...tusVersion, ...type, "upload-offset": "0" };
  await call(viewer, "PATCH", url, { headers, payload: photo });
  for (;;) {
    const seen = (await call(viewer, "GET", url)).json();
    if (seen.state !== "preparing") return seen.imageId;
  }
}
