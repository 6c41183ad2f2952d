import type { PostView } from "#shared/views.ts";

/** A photo in the editor: one the post has, by its key, or an added one, by the id of its upload. */
export type PhotoState = {
  key?: string | undefined;
  imageId?: string | undefined;
  alt: string;
  removed: boolean;
};

/** What stands in the editor; `version` is that of the post it began with. */
export type EditState = {
  caption: string;
  version: number;
  photos: PhotoState[];
  showCamera: boolean;
  showPlace: boolean;
};

export function stateOf(
  { caption, version, pictures }: PostView,
  { showCamera, showPlace }: Pick<EditState, "showCamera" | "showPlace">,
): EditState {
  const photos = pictures.map(({ key, alt }) => ({ key, alt, removed: false }));
  return { caption, version, photos, showCamera, showPlace };
}

/** With the photo at `from` in the place of its neighbour; as it is where there is none. */
export function movedPhoto(state: EditState, from: number, by: 1 | -1): EditState {
  const photos = [...state.photos];
  const [one, other] = [photos[from], photos[from + by]];
  if (!one || !other) return state;
  photos[from] = other;
  photos[from + by] = one;
  return { ...state, photos };
}
