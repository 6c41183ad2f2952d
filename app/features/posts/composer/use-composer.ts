import { useState, useSyncExternalStore, useRef, type RefObject, type SubmitEvent } from "react";
import { effectiveAudience } from "#shared/effective-audience.ts";
import { defaultChoices, type Audience, type PostChoices } from "#shared/posts.ts";
import * as words from "#messages/composer.json";
import { backgroundPost } from "#app/features/posts/composer/background-post.ts";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import {
  createChosenPhotos,
  type ChosenPhotos,
} from "#app/features/posts/composer/chosen-photos.ts";
import type { UploadedPhoto } from "#app/features/posts/composer/uploaded-photos.tsx";
import { useCard, useShownProblem } from "#app/features/posts/composer/use-card.ts";
import { useDraft } from "#app/features/posts/composer/use-draft.ts";
import { usePublish } from "#app/features/posts/composer/use-publish.ts";
import type { Problem } from "#app/lib/forms/problem.tsx";
import { useAskBeforeLeaving } from "#app/lib/forms/use-ask-before-leaving.ts";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { ask } from "#app/ui/ask.ts";

export type ComposerOptions = {
  /** what it begins with; an earlier draft waits beside it */
  caption: string;
  accountId: string;
  /** asks before photos are posted without a description */
  altReminder: boolean;
  /** preselects showing camera details */
  showCamera: boolean;
  /** preselects who can see it: as in the last post */
  audience: Audience;
  /** the author's account is private */
  isPrivate: boolean;
  /** the answer to a submit without scripts */
  returned?:
    | {
        caption: string;
        alt: string;
        photos: UploadedPhoto[];
        problem: Problem;
        shows: PostChoices;
      }
    | undefined;
};

/** A post that is being written: its photos, text, choices and draft, and publishing it. */
export function useComposer(
  form: RefObject<HTMLFormElement | null>,
  { caption, accountId, altReminder, showCamera, audience, isPrivate, returned }: ComposerOptions,
) {
  const [photos] = useState(() =>
    createChosenPhotos((returned?.photos ?? []).map((one) => ({ ...one, id: one.imageId }))),
  );
  const all = useSyncExternalStore(photos.subscribe, photos.all, photos.all);
  const card = useCard(photos, all, all[0]?.id);
  const [text, setText] = useState({ key: 0, caption: returned?.caption ?? caption });
  const usual = { ...defaultChoices, showCamera, audience };
  const [chosen, setShows] = useState(returned?.shows ?? usual);
  // A draft may be older than the privacy of the account.
  const shows = { ...chosen, audience: effectiveAudience(chosen.audience, isPrivate) };
  const draft = useDraft({
    accountId,
    given: caption,
    photos,
    form,
    onOpened: (restored, [first], choices) => {
      setText(({ key }) => ({ key: key + 1, caption: restored }));
      card.choose(first?.id ?? "");
      setShows({ ...usual, ...choices });
      card.clearErrors();
    },
  });
  const { autosaveState } = draft;
  const { publish, goOn, forgetProblem, ...publishing } = usePublish(photos, draft.autosave);
  const { saving, problem = returned?.problem ?? null } = publishing;
  const [describing, setDescribing] = useState(false);
  const [sent, setSent] = useState("");
  const isDescribed = useAltReminder(photos, describe);

  /** where nothing could be stored, and why */
  const draftProblem = autosaveState === "full" || autosaveState === "never" ? autosaveState : null;
  useLeaveWarning(draftProblem !== null || autosaveState === "writing");
  // Where nothing could be stored, following a link would lose it.
  useAskBeforeLeaving(() => draftProblem !== null && !saving, {
    title: words.leaveUnposted,
    text: words.leaveUnpostedText,
  });
  useShownProblem(form, card.wrong ?? problem);

  // What was wrong may be right now: another press says.
  const [count, setCount] = useState(all.length);
  if (count !== all.length) {
    setCount(all.length);
    if (problem) forgetProblem();
  }

  function describe(id: string): void {
    card.choose(id);
    setDescribing(true);
    const at = photos.all().findIndex((one) => one.id === id);
    // Its field is rendered after this.
    setTimeout(() => form.current?.querySelectorAll<HTMLElement>('[name="alt"]')[at]?.focus());
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (saving) return;
    const typed = new FormData(event.currentTarget);
    const written = String(typed.get("caption") ?? "");
    const { warning, sensitive } = choicesIn(typed);
    if (
      !card.check({ caption: written, warning }, describe) ||
      (altReminder && !(await isDescribed()))
    )
      return;
    setSent(written);
    await publish(written, { ...shows, warning, sensitive });
  }

  return {
    ...publishing,
    photos,
    all,
    card,
    text,
    shows,
    setShows,
    draft,
    draftProblem,
    problem,
    sent,
    describing,
    setDescribing,
    describe,
    submit,
    /** Something was typed or chosen. */
    onInput(): void {
      draft.autosave.touch();
      if (problem) forgetProblem();
    },
    /** undefined: the post would be lost with its page, or another one is on its way */
    goOn: autosaveState === "saved" && backgroundPost.now() === null ? goOn : undefined,
  };
}

/**
 * Asks before photos are posted without a description; `describe` is called with the first where one is to
 * be written.
 * @returns a function that says whether the post may be published as it is
 */
function useAltReminder(photos: ChosenPhotos, describe: (id: string) => void) {
  /** photos that may be posted without a description: nobody is asked twice */
  const leftBare = useRef<ReadonlySet<string>>(new Set());

  return async (): Promise<boolean> => {
    const all = photos.all();
    const bare = all.filter(({ alt }) => alt.trim() === "");
    const [first] = bare;
    const asked = bare.every(({ id }) => leftBare.current.has(id));
    // Errors come before suggestions.
    const wrong = all.some(({ state }) => state === "failed");
    if (!first || asked || wrong) return true;
    const several = all.length > 1;
    const anyway = await ask({
      title: several ? words.describeAskSeveral : words.describeAsk,
      text: lackText(bare.length, all.length),
      ok: words.postAnyway,
      cancel: several ? words.addDescriptions : words.addDescription,
    });
    if (anyway) leftBare.current = new Set(bare.map(({ id }) => id));
    else describe(first.id);
    return anyway;
  };
}

function lackText(bare: number, all: number): string {
  if (all === 1) return words.lacksOne;
  return bare === all ? words.lacksAll : counted(words.lacksSome, bare, { all });
}
