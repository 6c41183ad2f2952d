import {
  audiences,
  postChoiceNames,
  type PostChoices,
  type ShownAudience,
  type ShownChoice,
} from "#shared/posts.ts";
import { pick } from "#shared/records.ts";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import type { ImageView, PostView } from "#shared/views.ts";
import type { Problem } from "#app/lib/forms/problem.tsx";

/** A photo in the editor: one of the post, by its key, or an added one, by the id of its upload. */
export type PhotoState = {
  key?: string | undefined;
  imageId?: string | undefined;
  alt: string;
  removed: boolean;
};

/** The content of the editor; `version` is that of the post it began with. */
export type EditState = EditedChoices & { caption: string; version: number; photos: PhotoState[] };

/** `album`: no audience was chosen, and the post stays for whoever may see its album. */
export type EditedChoices = Omit<PostChoices, "audience"> & { audience: ShownAudience };

/** The choices in a form of the editor; without a chosen audience, the post keeps its own. */
export function editedChoicesIn(form: FormData | Record<string, unknown>): EditedChoices {
  const said = form instanceof FormData ? form.get("audience") : form["audience"];
  return { ...choicesIn(form), audience: audiences.find((one) => one === said) ?? "album" };
}

/** A post's choices that only its author reads. */
export type Shows = Omit<PostChoices, ShownChoice>;

/** The answer to a submit. */
export type Returned = {
  /** null where the server was not reached: the form's own content is the newest there is */
  state: EditState | null;
  problem: Problem | null;
  /** the post in its newest version, where it was edited elsewhere meanwhile */
  now: { caption: string; pictures: ImageView[] } | null;
};

export function stateOf(post: PostView, shows: Shows): EditState {
  const { caption, version, pictures } = post;
  const photos = pictures.map(({ key, alt }) => ({ key, alt, removed: false }));
  // A warning veils the photos by itself: without it they are shown, unless that is chosen too.
  const sensitive = post.sensitive && post.warning === null;
  const choices = pick({ ...post, ...shows, sensitive }, postChoiceNames);
  return { caption, version, photos, ...choices };
}

/** With the photo at `from` swapped with its neighbour; unchanged where there is none. */
export function movedPhoto(state: EditState, from: number, by: 1 | -1): EditState {
  const photos = [...state.photos];
  const [one, other] = [photos[from], photos[from + by]];
  if (!one || !other) return state;
  photos[from] = other;
  photos[from + by] = one;
  return { ...state, photos };
}

/** The fields that the plain form sends: photos in their order, and those that were removed. */
export function formOf({ caption, version, photos, ...choices }: EditState): FormData {
  const form = new FormData();
  form.set("go", "save");
  form.set("caption", caption);
  form.set("version", String(version));
  for (const name of postChoiceNames) {
    const chosen = choices[name];
    // No choice: it is left out.
    if (chosen !== false && chosen !== "album")
      form.set(name, chosen === true ? "on" : (chosen ?? ""));
  }
  for (const [position, { key, imageId, alt, removed }] of photos.entries()) {
    form.set(`photo-${position}`, key ? `key:${key}` : `added:${imageId}`);
    form.set(`alt-${position}`, alt);
    if (removed) form.set(`remove-${position}`, "on");
  }
  return form;
}
