import { useEffect, useRef, useState, type RefObject } from "react";
import type { PostChoices } from "#shared/posts.ts";
import { pick } from "#shared/records.ts";
import { backgroundPost } from "#app/features/posts/composer/background-post.ts";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import {
  createDraftAutosave,
  type AutosaveState,
} from "#app/features/posts/composer/draft-autosave.ts";
import { draftStore, type StoredDraft } from "#app/features/posts/composer/draft-store.ts";
import { isBrowserDataCleared } from "#app/lib/browser-data.ts";

type Options = {
  accountId: string;
  /** what the composer began with: alone it is no draft */
  given: string;
  photos: ChosenPhotos;
  form: RefObject<HTMLFormElement | null>;
  /** An earlier draft is in the composer now; without one, the composer is empty. */
  onOpened: (caption: string, photos: readonly ChosenPhoto[], shows?: Partial<PostChoices>) => void;
};

/** The content of the composer: the stored part of it, and the files of its photos. */
const contentOf = (form: HTMLFormElement | null, photos: ChosenPhotos) => ({
  written: {
    caption: captionOf(form),
    shows: choicesIn(form ? new FormData(form) : {}),
    photos: photos.all().map((photo) => pick(photo, ["id", "name", "alt", "url", "imageId"])),
  },
  files: new Map(photos.all().flatMap(({ id, file }) => (file ? [[id, file]] : []))),
});

/** The drafts of a member, the newest first, without one that is being sent. */
const draftsOf = async (accountId: string) =>
  (await draftStore.of(accountId)).filter(({ id }) => id !== backgroundPost.draftId());

/** Events before the page may be closed. */
function onLeaving(save: () => void): () => void {
  const over = new AbortController();
  document.addEventListener("visibilitychange", save, { signal: over.signal });
  window.addEventListener("pagehide", save, { signal: over.signal });
  return () => over.abort();
}

const textOf = (form: HTMLFormElement | null, name: "caption" | "warning"): string =>
  String(form ? (new FormData(form).get(name) ?? "") : "");

const captionOf = (form: HTMLFormElement | null) => textOf(form, "caption");

/** Stores the content of the composer on this device, and restores an earlier draft. */
export function useDraft({ accountId, given, photos, form, onOpened }: Options) {
  /** Refs are empty when a page is left; the form still has its text. */
  const element = useRef<HTMLFormElement | null>(null);
  const [autosaveState, setAutosaveState] = useState<AutosaveState | null>(null);
  /** how many drafts there are besides, once one was restored */
  const [restored, setRestored] = useState<{ others: number } | null>(null);

  const [autosave] = useState(() =>
    createDraftAutosave({
      accountId,
      saved: draftStore,
      forgotten: isBrowserDataCleared,
      onAutosaveState: setAutosaveState,
      read: () => {
        const content = contentOf(element.current, photos);
        const untouched = content.written.caption === given && photos.all().length === 0;
        return untouched ? { ...content, written: { ...content.written, caption: "" } } : content;
      },
    }),
  );

  const touched = () =>
    photos.all().length > 0 ||
    `${captionOf(element.current)}${textOf(element.current, "warning")}`.trim() !== "";

  async function open(draft: StoredDraft, others: number, gone: () => boolean): Promise<void> {
    const files = await draftStore.filesOf(draft);
    // Anything begun meanwhile stays; the draft is still stored.
    if (gone() || touched()) return;
    autosave.adopt(
      draft,
      files.map(({ id }) => id),
    );
    photos.restore(files);
    setRestored({ others });
    onOpened(draft.caption, photos.all(), draft.shows);
  }

  useEffect(() => {
    let left = false;
    element.current = form.current;
    backgroundPost.takeBack();
    const unsubscribe = photos.subscribe(autosave.touch);
    const stopSaving = onLeaving(autosave.leave);
    void (async () => {
      const [newest, ...others] = await draftsOf(accountId);
      if (newest && !left && !touched()) await open(newest, others.length, () => left);
      else if (newest) setRestored({ others: others.length + 1 });
      // Text from before hydration fired no event here.
      if (!left && touched() && captionOf(element.current) !== newest?.caption) autosave.touch();
    })().catch(() => undefined);
    return () => {
      left = true;
      backgroundPost.whenWithout(photos, () => {
        unsubscribe();
        stopSaving();
        void autosave.flush().then(photos.release);
      });
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return {
    autosave,
    autosaveState,
    restored,

    /** Discards the content of the composer. */
    async discard(): Promise<void> {
      await autosave.drop();
      photos.clear();
      setRestored(null);
      onOpened("", []);
    },

    /** Loads the next of the other drafts into the composer; its current content stays a draft. */
    async openOther(): Promise<void> {
      await autosave.flush();
      const current = autosave.id();
      const all = await draftsOf(accountId);
      const next = all[(all.findIndex(({ id }) => id === current) + 1) % all.length];
      if (!next || next.id === current) return setRestored({ others: 0 });
      autosave.startAnew();
      photos.release();
      onOpened("", []);
      await open(next, all.length - 1, () => false);
    },
  };
}
