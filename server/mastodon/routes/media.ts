import { keyPrefix, mediaEntity, readFocus } from "#server/mastodon/entities/media.ts";
import type { MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { found, refuse } from "#shared/errors.ts";

/**
 * docs.joinmastodon.org/methods/media. An image is ready when the call is answered: both versions say 200.
 */
export function mediaRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  const { features } = deps;
  const { images, references } = features;

  async function receive(call: MemberCall) {
    const { viewer, input } = call;
    const file = input.file("file");
    if (!file) throw refuse("input-invalid", { message: "Validation failed: file can't be blank" });
    refuseThumbnail(input);
    const focalPoint = readFocus(input.text("focus"));
    const { imageId, picture } = await images.upload(viewer, file);
    const alt = input.text("description") || undefined;
    await references.describe(viewer, imageId, { alt, focalPoint });
    const now = await unpublishedImage(call, mediaEntity(deps, picture).id);
    return mediaEntity(deps, now?.picture ?? picture);
  }

  for (const version of ["v1", "v2"]) {
    router.member("post", `/api/${version}/media`, "write:media", receive, { takesFiles: true });
  }

  const entity = async (call: MemberCall) => mediaEntity(deps, (await find(call)).picture);
  router.member("get", "/api/v1/media/:id", "write:media", entity);

  router.member(
    "put",
    "/api/v1/media/:id",
    "write:media",
    async (call) => {
      const { viewer, input } = call;
      refuseThumbnail(input);
      const { id } = await find(call);
      const focalPoint = readFocus(input.text("focus"));
      await references.describe(viewer, id, { alt: input.text("description"), focalPoint });
      return entity(call);
    },
    { takesFiles: true },
  );

  router.member("delete", "/api/v1/media/:id", "write:media", async (call) => {
    const { id } = await find(call);
    await images.drop(call.viewer.id, id);
    return {};
  });
}

const find = async (call: MemberCall) => found(await unpublishedImage(call, call.part("id")));

/** An image that a member uploaded and no post shows yet. */
export async function unpublishedImage({ deps, viewer }: MemberCall, mediaId: string) {
  const beginning = keyPrefix(mediaId);
  return beginning === null ? null : deps.features.references.findUnclaimed(viewer, beginning);
}

function refuseThumbnail(input: MemberCall["input"]): void {
  if (!input.hasFile("thumbnail")) return;
  throw refuse("not-offered", { message: "Previews are made of the photos themselves here." });
}
