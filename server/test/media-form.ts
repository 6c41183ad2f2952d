import { readFile } from "node:fs/promises";

/** A multipart body with an image in `file`, as an app sends it. */
export async function mediaForm(path: string, fields: Record<string, string>, name = "file") {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(name, new Blob([await readFile(path)], { type: "image/jpeg" }), "photo.jpg");
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return { payload: Buffer.from(await response.arrayBuffer()), headers: { "content-type": type } };
}
