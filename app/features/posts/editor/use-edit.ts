import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { useNavigation, useSubmit } from "react-router";
import { imageSrc } from "#shared/image-urls.ts";
import type { ImageView, PostView } from "#shared/views.ts";
import {
  createChosenPhotos,
  type ChosenPhotos,
} from "#app/features/posts/composer/chosen-photos.ts";
import {
  formOf,
  stateOf,
  type EditedChoices,
  type PhotoState,
  type Returned,
  type Shows,
} from "#app/features/posts/editor/edit-state.ts";
import { useSending } from "#app/lib/forms/use-sending.ts";

/** CSS pixels: of the photo that is described. */
const previewWidth = 640;

/** Every photo of the post at the start, with its description: one that is missing now was removed. */
type Known = Map<string, string>;

/**
 * A post in the editor: its photos, the uploads of added ones, and saving, which waits for them and then
 * sends the form that browsers without scripts send.
 */
export function useEdit(post: PostView, shows: Shows, returned: Returned | undefined) {
  const [started] = useState(() => returned?.state ?? stateOf(post, shows));
  const [photos] = useState(() => {
    const remaining = started.photos.filter(({ removed }) => !removed);
    return createChosenPhotos(remaining.map(shown(post.pictures)));
  });
  const all = useSyncExternalStore(photos.subscribe, photos.all, photos.all);
  const [version, setVersion] = useState(started.version);
  const known = useRef<Known>(
    new Map(started.photos.flatMap(({ key, alt }) => (key ? [[key, alt]] : []))),
  );
  const { send, sending, problem = returned?.problem ?? null, setProblem, stop } = useSending();
  const submitting = useNavigation().formData !== undefined;
  const submit = useSubmit();

  const [taken, setTaken] = useState(returned);
  if (taken !== returned) {
    setTaken(returned);
    setProblem(returned?.problem ?? null);
    if (returned?.state) setVersion(returned.state.version);
  }

  /** The post was edited elsewhere, or an upload for it is gone. */
  const take = useEffectEvent((answer: Returned | undefined): void => {
    if (answer?.problem?.code === "picture-unknown") photos.sendAgain();
    else if (answer?.state && answer.now) bringUpToDate(photos, known.current, answer.now.pictures);
  });
  const [first] = useState(returned);
  useEffect(() => {
    if (returned !== first) take(returned);
  }, [returned, first]);

  async function save(caption: string, wanted: EditedChoices): Promise<void> {
    if (submitting) return;
    await send(async (signal) => {
      await photos.sent(signal);
      if (signal.aborted) return;
      const form = formOf({ caption, version, ...wanted, photos: statesOf(photos, known.current) });
      await submit(form, { method: "post", encType: "multipart/form-data" });
    });
  }

  return {
    photos,
    all,
    started,
    version,
    problem,
    save,
    /** photos or the form are being sent */
    saving: sending || submitting,
    keepEditing: stop,
  };
}

/** Drops photos that are not in the post any more, and adds new ones at the end. */
function bringUpToDate(photos: ChosenPhotos, known: Known, images: readonly ImageView[]): void {
  const here = new Set(images.map(({ key }) => key));
  for (const { id, key } of photos.all()) if (key && !here.has(key)) photos.remove(id);
  const added = images.filter(({ key }) => !known.has(key));
  for (const { key, alt } of added) known.set(key, alt);
  for (const key of known.keys()) if (!here.has(key)) known.delete(key);
  photos.restore(added.map(shown(added)));
}

/** As in the form: photos in their order, and those that were removed. */
function statesOf(photos: ChosenPhotos, known: Known): PhotoState[] {
  const remaining = photos.all();
  const removed = [...known].filter(([key]) => remaining.every((one) => one.key !== key));
  return [
    ...remaining.map(({ key, imageId, alt }) => ({
      ...(key ? { key } : { imageId: imageId ?? "" }),
      alt,
      removed: false,
    })),
    ...removed.map(([key, alt]) => ({ key, alt, removed: true })),
  ];
}

/** A photo as the strip takes it. */
const shown =
  (images: readonly ImageView[]) =>
  ({ key, imageId, alt }: Omit<PhotoState, "removed">) => {
    const image = images.find((one) => one.key === key);
    return {
      id: key ?? imageId ?? "",
      alt,
      key,
      imageId: imageId ?? null,
      ...(image ? { preview: imageSrc(image, previewWidth) } : {}),
    };
  };
