import { decimalOf } from "#server/db/decimal-ids.ts";
import { mediaEntity } from "#server/mastodon/entities/media.ts";
import type { Face, FaceDeps, MemberCall } from "#server/mastodon/face.ts";
import { refuse } from "#shared/errors.ts";

/** docs.joinmastodon.org/methods/media. A picture is ready when it is answered: both versions say 200. */
export function mediaRoutes(face: Face, { features, picturesUrl }: FaceDeps): void {
  const { images, references } = features;

  async function receive({ viewer, input }: MemberCall) {
    const file = input.file("file");
    if (!file) throw refuse("input-invalid", { message: "Validation failed: file can't be blank" });
    refuseThumbnail(input);
    const { imageId, picture } = await images.upload(viewer, file);
    const alt = input.text("description") ?? "";
    if (alt !== "") await references.describe(viewer, imageId, alt);
    return mediaEntity(picturesUrl, { ...picture, alt }, decimalOf(imageId));
  }

  for (const version of ["v1", "v2"]) {
    face.member("post", `/api/${version}/media`, "write:media", receive, { takesFiles: true });
  }

  async function find({ viewer, part }: MemberCall) {
    const found = await references.waiting(viewer, part("id"));
    if (!found) throw refuse("not-found");
    return found;
  }

  face.member("get", "/api/v1/media/:id", "write:media", async (call) => {
    const { picture } = await find(call);
    return mediaEntity(picturesUrl, picture, call.part("id"));
  });

  face.member(
    "put",
    "/api/v1/media/:id",
    "write:media",
    async (call) => {
      refuseThumbnail(call.input);
      const { id } = await find(call);
      const alt = call.input.text("description");
      if (alt !== undefined) await references.describe(call.viewer, id, alt);
      const { picture } = await find(call);
      return mediaEntity(picturesUrl, picture, call.part("id"));
    },
    { takesFiles: true },
  );
}

function refuseThumbnail(input: MemberCall["input"]): void {
  if (!input.hasFile("thumbnail")) return;
  throw refuse("not-offered", { message: "Previews are made of the photos themselves here." });
}
