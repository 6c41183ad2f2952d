import { useRef, useState, useSyncExternalStore, type SubmitEvent } from "react";
import { limits } from "#shared/limits.ts";
import { altTextProblem, captionProblem, usualChoices, type PostChoices } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";
import { AltField } from "#app/features/posts/composer/alt-field.tsx";
import { cardClass, footClass, wordsClass } from "#app/features/posts/composer/card-classes.ts";
import { photosFrom } from "#app/features/posts/composer/chosen-in-browser.ts";
import { DraftLine } from "#app/features/posts/composer/draft-line.tsx";
import { KeptPhotos, type KeptPicture } from "#app/features/posts/composer/kept-photos.tsx";
import { PhotoSide } from "#app/features/posts/composer/photo-side.tsx";
import { receiptOf, ShowChoices } from "#app/features/posts/composer/show-choices.tsx";
import { Uploading } from "#app/features/posts/composer/uploading.tsx";
import { useDraft } from "#app/features/posts/composer/use-draft.ts";
import { usePublish, type Problem } from "#app/features/posts/composer/use-publish.ts";
import { useShownProblem } from "#app/features/posts/composer/use-shown-problem.ts";
import { WhoComments } from "#app/features/posts/composer/who-comments.tsx";
import { useAskBeforeLeaving } from "#app/lib/forms/use-ask-before-leaving.ts";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = {
  accountId: string;
  /** makes a repeated submit without scripts harmless */
  clientKey: string;
  /** asks before photos go out without a description */
  altReminder: boolean;
  /** proposes to show camera details */
  showCamera: boolean;
  /** what a submit without scripts brought back */
  returned?:
    | {
        caption: string;
        alt: string;
        pictures: KeptPicture[];
        problem: Problem;
        shows: PostChoices;
      }
    | undefined;
};

/** Writes a postcard: photos on one side, words on the other, a stamp in the corner. */
export function Composer({ accountId, clientKey, altReminder, showCamera, returned }: Props) {
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [photos] = useState(() =>
    photosFrom((returned?.pictures ?? []).map((one) => ({ ...one, id: one.imageId }))),
  );
  const all = useSyncExternalStore(photos.subscribe, photos.all, photos.all);
  const [chosenId, setChosenId] = useState(all[0]?.id ?? "");
  const [words, setWords] = useState({ key: 0, caption: returned?.caption ?? "" });
  const usual = { ...usualChoices, showCamera };
  const [shows, setShows] = useState(returned?.shows ?? usual);
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const draft = useDraft({
    accountId,
    photos,
    form,
    onOpened: (caption, [first], kept) => {
      setWords(({ key }) => ({ key: key + 1, caption }));
      setChosenId(first?.id ?? "");
      setShows({ ...usual, ...kept });
      setErrors({});
    },
  });
  const { keeper, keeping, restored } = draft;
  const publishing = usePublish(photos, keeper);
  const { saving, problem = returned?.problem ?? null } = publishing;
  /** photos that may go out without a description: nobody is asked twice */
  const leftBare = useRef<ReadonlySet<string>>(new Set());
  const at = Math.max(
    all.findIndex(({ id }) => id === chosenId),
    0,
  );
  // What a refused form brought back without scripts is listed plainly until there are some.
  const chosen = hydrated ? (all[at] ?? null) : null;
  const brought = hydrated ? [] : (returned?.pictures ?? []);

  const unkept = keeping === "full" || keeping === "never";
  useLeaveWarning(unkept || keeping === "writing");
  // Where nothing could be kept, following a link would lose it.
  useAskBeforeLeaving(() => unkept && !saving, {
    title: "Leave without posting?",
    text: "What you wrote and chose isn't saved anywhere else.",
  });
  useShownProblem(form, errors["caption"] || errors["alt"] ? errors : problem);

  function describe(id: string): void {
    setChosenId(id);
    // Its field stands there after this was drawn.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[name="alt"]')?.focus());
  }

  /** @returns whether the post may go out as it is */
  async function isDescribed(): Promise<boolean> {
    const bare = photos.all().filter(({ alt }) => alt.trim() === "");
    const [first] = bare;
    const asked = bare.every(({ id }) => leftBare.current.has(id));
    // What is wrong comes before what could be better.
    const wrong = photos.all().some(({ state }) => state === "failed");
    if (!altReminder || !first || asked || wrong) return true;
    const several = all.length > 1;
    const lacking =
      bare.length === all.length ? "None of them has" : `${bare.length} of ${all.length} lack`;
    const anyway = await ask({
      title: several ? "Describe your photos?" : "Describe your photo?",
      text: `${several ? `${lacking} a description.` : "It has no description."} People who can't see it only hear that there is a photo.`,
      ok: "Post anyway",
      cancel: several ? "Add descriptions" : "Add a description",
    });
    if (anyway) leftBare.current = new Set(bare.map(({ id }) => id));
    else describe(first.id);
    return anyway;
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (saving) return;
    const caption = String(new FormData(event.currentTarget).get("caption") ?? "");
    const overlong = all.find(({ alt }) => altTextProblem(cleanText(alt)));
    const found = {
      caption: captionProblem(cleanText(caption)) ?? undefined,
      alt: (overlong && altTextProblem(cleanText(overlong.alt))) ?? undefined,
    };
    setErrors(found);
    if (overlong) describe(overlong.id);
    if (found.caption || found.alt || !(await isDescribed())) return;
    await publishing.publish(caption, shows);
  }

  const shown = { ...problem?.fields, ...errors };
  return (
    <>
      {restored && (all.length > 0 || words.caption || restored.others > 0) ? (
        <DraftLine
          others={restored.others}
          begun={words.key > 0}
          onDiscard={() => void draft.discard()}
          onOther={() => void draft.openOther()}
        />
      ) : null}
      <form
        ref={form}
        method="post"
        encType="multipart/form-data"
        onSubmit={(event) => void submit(event)}
        onInput={keeper.touch}
        className={cardClass}
      >
        <input type="hidden" name="clientKey" value={clientKey} />
        <PhotoSide photos={photos} all={all} chosen={chosen} onChoose={setChosenId} />
        <div className={wordsClass}>
          <Stamp className="w-11 rotate-3 self-end max-md:hidden" />
          <KeptPhotos pictures={brought} />
          {chosen ? (
            <AltField
              photo={chosen}
              at={at}
              count={all.length}
              error={shown.alt}
              onAlt={(id, alt) => {
                setErrors({});
                photos.describe(id, alt);
              }}
            />
          ) : null}
          <TextArea
            key={words.key}
            name="caption"
            data-completes=""
            label="Write a Caption"
            rows={5}
            limit={limits.caption}
            hint="Words alone are enough. So is a photo."
            defaultValue={words.caption}
            error={shown.caption}
            onChange={() => setErrors({})}
          />
          <div className={chosen || brought.length > 0 ? "" : "hidden noscript:block"}>
            <ShowChoices shows={shows} onShows={setShows} />
          </div>
          <WhoComments
            chosen={shows.commentsFrom}
            onChosen={(commentsFrom) => setShows({ ...shows, commentsFrom })}
          />
          {chosen || brought.length > 0 ? null : (
            <div className="hidden noscript:block">
              <TextField
                name="alt"
                label="Describe the photo"
                optional
                hint="Read aloud to people who can't see it. Of several photos, it describes the first."
                defaultValue={returned?.alt}
                error={shown.alt}
              />
            </div>
          )}
          <div role="alert">
            {problem && !problem.fields?.["caption"] && !problem.fields?.["alt"] && (
              <p className="font-medium text-danger">
                {problem.message}{" "}
                {problem.code === "sign-in-required" && (
                  <a href={signInPath({ pathname: "/upload" })} target="_blank" className="link">
                    Sign in in another tab
                  </a>
                )}
              </p>
            )}
            {unkept ? <p className="text-sm font-medium">{unkeptBecause[keeping]}</p> : null}
          </div>
        </div>
        <div className={footClass}>
          <p className="mb-2 text-xs text-muted">
            {chosen ? receiptOf(shows) : null}
            <span className="hidden noscript:inline">
              Photos are shown without location or camera details, unless you chose otherwise.{" "}
            </span>
            Anyone can see it.
          </p>
          <Button look="primary" type="submit" pending={saving} className="send w-full">
            Post
          </Button>
        </div>
        {saving && (
          <Uploading
            photos={all}
            onTryAgain={photos.resume}
            onKeepEditing={publishing.keepEditing}
          />
        )}
      </form>
    </>
  );
}

const unkeptBecause = {
  full: "This device is out of space, so there is no draft of this post. Post it before you leave this page.",
  never:
    "This browser can't keep drafts, perhaps because this is a private window. Post this before you leave the page.",
};
