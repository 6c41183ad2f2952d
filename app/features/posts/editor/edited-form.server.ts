import type { Refusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";
import { uploadImages } from "#app/features/posts/composer/upload-images.server.ts";
import {
  editedChoicesIn,
  movedPhoto,
  type EditState,
  type PhotoState,
} from "#app/features/posts/editor/edit-state.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Features = PageContext["features"];
type Form = Awaited<ReturnType<PageContext["readForm"]>>;

/** A submit of the editor: its photos in their order. */
export function readState({ fields }: Form): EditState {
  const photos: PhotoState[] = [];
  for (let position = 0; fields[`photo-${position}`] !== undefined; position += 1) {
    const [kind, id = ""] = (fields[`photo-${position}`] ?? "").split(":");
    const rest = { alt: fields[`alt-${position}`] ?? "", removed: `remove-${position}` in fields };
    photos.push(kind === "added" ? { imageId: id, ...rest } : { key: id, ...rest });
  }
  const { caption = "", version } = fields;
  return { caption, version: Number(version), photos, ...editedChoicesIn(fields) };
}

/** Files that came with the form become the last photos; an error in one stops no other. */
export async function takeFiles(
  features: Features,
  viewer: Viewer,
  form: Form,
  state: EditState,
): Promise<{ state: EditState; refusals: Refusal[] }> {
  const room = limits.photosPerPost - state.photos.filter(({ removed }) => !removed).length;
  const files = form.all("image");
  const { taken, refusals } = await uploadImages(features.images, viewer, { files, room });
  const added = taken.map(({ imageId }) => ({ imageId, alt: "", removed: false }));
  return { state: { ...state, photos: [...state.photos, ...added] }, refusals };
}

/** `go` is the button's: `up-2` moves the third photo before the second. */
export function movedBy(state: EditState, go: string): EditState {
  const [, direction, position] = /^(up|down)-(\d)$/.exec(go) ?? [];
  return direction ? movedPhoto(state, Number(position), direction === "up" ? -1 : 1) : state;
}

/** As posts.edit takes it. */
export function inputOf(state: EditState) {
  const { caption, version, photos, showPlace, audience, ...choices } = state;
  const pictures = photos
    .filter(({ removed }) => !removed)
    .map(({ key, imageId, alt }) => (key ? { key, alt } : { imageId, alt }));
  // A deleted location cannot be shown again: leave the choice out.
  const location = showPlace ? {} : ({ showPlace: false } as const);
  const chosen = audience === "album" ? {} : { audience };
  return { caption, version, pictures, ...choices, ...chosen, ...location };
}

/**
 * The form's content, for another try on the newest version of the post: photos that were removed meanwhile
 * are left out, added ones are at the end.
 */
export function broughtUpToDate(state: EditState, { version, pictures }: FeedPost): EditState {
  const here = new Set(pictures.map(({ key }) => key));
  const remaining = state.photos.filter(({ key }) => key === undefined || here.has(key));
  const known = new Set(remaining.map(({ key }) => key));
  const added = pictures
    .filter(({ key }) => !known.has(key))
    .map(({ key, alt }) => ({ key, alt, removed: false }));
  return { ...state, version, photos: [...remaining, ...added] };
}

/** Without added photos, whose uploads are gone: they have to be chosen again. */
export function withoutAdded(state: EditState): EditState {
  return { ...state, photos: state.photos.filter(({ key }) => key !== undefined) };
}
