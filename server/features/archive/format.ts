/** The first lines of postcard.json. docs/export-format.md describes what belongs to a version. */
export const archiveFormat = { format: "postcard-archive", version: 1 } as const;

function extensionOf(mediaType: string): string {
  const type = mediaType.split("/")[1] ?? "";
  return type === "jpeg" ? "jpg" : type.replace(/[^a-z0-9]/g, "");
}

/** Where an image is stored in an archive: `pictures/12-1.jpg`, the first of post 12. */
export function imagePath(name: string, mediaType: string): string {
  return `pictures/${name}.${extensionOf(mediaType)}`;
}
