import { plain } from "#server/test/images.ts";

/** A form with a small image, for POST /api/images. */
export async function imageForm(field = "image"): Promise<FormData> {
  const bytes = await plain(96, 64, [40, 90, 160]).png().toBuffer();
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(bytes)], { type: "image/png" }), "photo.png");
  return form;
}
