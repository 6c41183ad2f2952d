import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { useNavigation, useSubmit } from "react-router";
import { pictureSrc } from "#shared/pictures.ts";
import type { PostChoices } from "#shared/posts.ts";
import type { PictureView, PostView } from "#shared/views.ts";
import { photosFrom } from "#app/features/posts/composer/chosen-in-browser.ts";
import { photosSent } from "#app/features/posts/composer/photos-sent.ts";
import {
  formOf,
  stateOf,
  type Returned,
  type Shows,
} from "#app/features/posts/editor/edit-state.ts";
import { callErrorOf, sentenceOf } from "#app/lib/forms/post-form.ts";

/** CSS pixels: of the photo that is described. */
const previewWidth = 640;

/**
 * A post in the editor: its photos, those that are added and on their way, and saving, which waits
 * for them and then sends the form that browsers without scripts send.
 */
export function useEdit(post: PostView, shows: Shows, returned: Returned | undefined) {
  const [started] = useState(() => returned?.state ?? stateOf(post, shows));
  const [photos] = useState(() =>
    photosFrom(started.photos.filter(isKept).map(shown(post.pictures))),
  );
  const all = useSyncExternalStore(photos.subscribe, photos.all, photos.all);
  const [version, setVersion] = useState(started.version);
  /** every photo of the post that stood here: what of them is not there any more was taken out */
  const known = useRef(
    new Map(started.photos.flatMap(({ key, alt }) => (key ? [[key, alt]] : []))),
  );
  const [problem, setProblem] = useState<Returned["problem"]>(returned?.problem ?? null);
  const [waiting, setWaiting] = useState<AbortController | null>(null);
  const sending = useNavigation().formData !== undefined;
  const submit = useSubmit();

  const [taken, setTaken] = useState(returned);
  if (taken !== returned) {
    setTaken(returned);
    setProblem(returned?.problem ?? null);
    if (returned?.state) setVersion(returned.state.version);
  }

  /** The post was edited elsewhere, or what was uploaded for it is gone. */
  const take = useEffectEvent((answer: Returned | undefined): void => {
    if (answer?.problem?.code === "picture-unknown") return photos.sendAgain();
    if (!answer?.state || !answer.now) return;
    const here = new Set(answer.now.pictures.map(({ key }) => key));
    for (const { id, key } of photos.all()) if (key && !here.has(key)) photos.remove(id);
    const came = answer.now.pictures.filter(({ key }) => !known.current.has(key));
    for (const { key, alt } of came) known.current.set(key, alt);
    for (const key of known.current.keys()) if (!here.has(key)) known.current.delete(key);
    photos.restore(
      came.map(({ key, alt }) => ({
        ...shown(came)({ key, alt }),
        name: "",
        url: null,
        imageId: null,
        file: null,
      })),
    );
  });
  const [first] = useState(returned);
  useEffect(() => {
    if (returned !== first) take(returned);
  }, [returned, first]);

  async function save(caption: string, wanted: PostChoices): Promise<void> {
    if (waiting || sending) return;
    const waits = new AbortController();
    setWaiting(waits);
    setProblem(null);
    try {
      await photosSent(photos, waits.signal);
      if (waits.signal.aborted) return;
      const kept = photos.all();
      const removed = [...known.current].filter(([key]) => kept.every((one) => one.key !== key));
      const state = {
        caption,
        version,
        ...wanted,
        photos: [
          ...kept.map(({ key, imageId, alt }) => ({
            ...(key ? { key } : { imageId: imageId ?? "" }),
            alt,
            removed: false,
          })),
          ...removed.map(([key, alt]) => ({ key, alt, removed: true })),
        ],
      };
      await submit(formOf(state), { method: "post", encType: "multipart/form-data" });
    } catch (error) {
      const { code = "internal", fields } = callErrorOf(error);
      setProblem({ code, message: sentenceOf(error), fields });
    } finally {
      setWaiting(null);
    }
  }

  return {
    photos,
    all,
    started,
    version,
    problem,
    save,
    /** photos are on their way, or the form is */
    saving: waiting !== null || sending,
    keepEditing: () => waiting?.abort(),
  };
}

const isKept = ({ removed }: { removed: boolean }) => !removed;

/** A photo as the strip has it. */
const shown =
  (pictures: readonly PictureView[]) =>
  ({
    key,
    imageId,
    alt,
  }: {
    key?: string | undefined;
    imageId?: string | undefined;
    alt: string;
  }) => {
    const picture = pictures.find((one) => one.key === key);
    return {
      id: key ?? imageId ?? "",
      alt,
      key,
      imageId: imageId ?? null,
      ...(picture ? { preview: pictureSrc(picture, previewWidth) } : {}),
    };
  };
