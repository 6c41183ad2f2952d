import { useEffect, useRef, useState, type RefObject } from "react";
import type { PostChoices } from "#shared/posts.ts";
import { pick } from "#shared/records.ts";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { createDraftKeeper, type Keeping } from "#app/features/posts/composer/draft-keeper.ts";
import { keptDrafts, type KeptDraft } from "#app/features/posts/composer/kept-drafts.ts";
import { isForgotten } from "#app/lib/forms/kept-messages.ts";

type Options = {
  accountId: string;
  photos: ChosenPhotos;
  form: RefObject<HTMLFormElement | null>;
  /** A draft from before stands in the composer now; without one, nothing does. */
  onOpened: (caption: string, photos: readonly ChosenPhoto[], shows?: Partial<PostChoices>) => void;
};

/** What stands in the composer: what of it is kept, and the files of its photos. */
const standing = (form: HTMLFormElement | null, photos: ChosenPhotos) => ({
  written: {
    caption: captionOf(form),
    shows: choicesIn(form ? new FormData(form) : {}),
    photos: photos.all().map((photo) => pick(photo, ["id", "name", "alt", "url", "imageId"])),
  },
  files: new Map(photos.all().flatMap(({ id, file }) => (file ? [[id, file]] : []))),
});

/** When the page may be about to go. */
function onLeaving(keep: () => void): () => void {
  document.addEventListener("visibilitychange", keep);
  window.addEventListener("pagehide", keep);
  return () => {
    document.removeEventListener("visibilitychange", keep);
    window.removeEventListener("pagehide", keep);
  };
}

const captionOf = (form: HTMLFormElement | null): string =>
  String(form ? (new FormData(form).get("caption") ?? "") : "");

/** Keeps what stands in the composer on this device, and brings back what an earlier page left. */
export function useDraft({ accountId, photos, form, onOpened }: Options) {
  /** Refs are empty when a page is left; the form still has its words. */
  const element = useRef<HTMLFormElement | null>(null);
  const [keeping, setKeeping] = useState<Keeping | null>(null);
  /** how many drafts there are besides, once one was brought back */
  const [restored, setRestored] = useState<{ others: number } | null>(null);

  const [keeper] = useState(() =>
    createDraftKeeper({
      accountId,
      kept: keptDrafts,
      forgotten: isForgotten,
      onKeeping: setKeeping,
      read: () => standing(element.current, photos),
    }),
  );

  const touched = () => photos.all().length > 0 || captionOf(element.current).trim() !== "";

  async function open(draft: KeptDraft, others: number, gone: () => boolean): Promise<void> {
    const files = await keptDrafts.filesOf(draft);
    // Whatever was begun meanwhile stays; the draft is still there.
    if (gone() || touched()) return;
    keeper.adopt(
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
    const unsubscribe = photos.subscribe(keeper.touch);
    const stopKeeping = onLeaving(() => void keeper.flush());
    void (async () => {
      const [newest, ...others] = await keptDrafts.of(accountId);
      if (newest && !left && !touched()) await open(newest, others.length, () => left);
      else if (newest) setRestored({ others: others.length + 1 });
      // What was written before the scripts were there, nobody heard of.
      if (!left && touched() && captionOf(element.current) !== newest?.caption) keeper.touch();
    })().catch(() => undefined);
    return () => {
      left = true;
      unsubscribe();
      stopKeeping();
      void keeper.flush().then(photos.putAway);
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return {
    keeper,
    keeping,
    restored,

    /** Gives up what stands in the composer. */
    async discard(): Promise<void> {
      await keeper.drop();
      photos.clear();
      setRestored(null);
      onOpened("", []);
    },

    /** Puts the next of the other drafts into the composer; what stands there stays a draft. */
    async openOther(): Promise<void> {
      await keeper.flush();
      const current = keeper.id();
      const all = await keptDrafts.of(accountId);
      const next = all[(all.findIndex(({ id }) => id === current) + 1) % all.length];
      if (!next || next.id === current) return setRestored({ others: 0 });
      keeper.startAnew();
      photos.putAway();
      onOpened("", []);
      await open(next, all.length - 1, () => false);
    },
  };
}
