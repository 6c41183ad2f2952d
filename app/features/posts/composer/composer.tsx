import { useRef } from "react";
import { limits } from "#shared/limits.ts";
import { audienceNote } from "#app/features/posts/audience/audience-choices.tsx";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { AltField } from "#app/features/posts/composer/alt-field.tsx";
import { cardClass, footClass, wordsClass } from "#app/features/posts/composer/card-classes.ts";
import { UploadedPhotos } from "#app/features/posts/composer/uploaded-photos.tsx";
import { PhotoSide } from "#app/features/posts/composer/photo-side.tsx";
import { detailsNote, ShowChoices } from "#app/features/posts/composer/show-choices.tsx";
import { Uploading } from "#app/features/posts/composer/uploading.tsx";
import { useComposer, type ComposerOptions } from "#app/features/posts/composer/use-composer.ts";
import { CommentersSelect } from "#app/features/posts/composer/commenters-select.tsx";
import { ProblemLine, type Problem } from "#app/lib/forms/problem.tsx";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { lazyComponent } from "#app/ui/lazy-component.tsx";
import { Stamp } from "#app/ui/stamp.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";

/** Without it a restored draft is there all the same. */
const DraftNotice = lazyComponent(
  async () => (await import("#app/features/posts/composer/draft-notice.tsx")).DraftNotice,
  () => {},
);

type Props = ComposerOptions & {
  /** makes a repeated submit without scripts harmless */
  clientKey: string;
};

/** Writes a postcard: photos on one side, text on the other, a stamp in the corner. */
export function Composer({ clientKey, ...about }: Props) {
  const { returned } = about;
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const composer = useComposer(form, about);
  const { photos, all, card, text, shows, setShows, draft, problem, saving } = composer;
  // The answer to a form without scripts is listed plainly until scripts run.
  const chosen = hydrated ? card.chosen : null;
  const brought = hydrated ? [] : (returned?.photos ?? []);
  const withPhotos = chosen !== null || brought.length > 0;
  const shown = { ...problem?.fields, ...card.errors };

  return (
    <>
      {draft.restored && (
        <DraftNotice
          draft={draft}
          begun={text.key > 0}
          any={all.length > 0 || text.caption !== ""}
        />
      )}
      <form
        ref={form}
        method="post"
        encType="multipart/form-data"
        onSubmit={(event) => void composer.submit(event)}
        onInput={draft.autosave.touch}
        className={cardClass}
      >
        <input type="hidden" name="clientKey" value={clientKey} />
        <PhotoSide photos={photos} all={all} chosen={chosen} onChoose={card.choose} />
        <div className={wordsClass}>
          <Stamp className="w-11 rotate-3 self-end max-md:hidden" />
          <UploadedPhotos photos={brought} />
          {chosen ? (
            <AltField photo={chosen} card={card} count={all.length} error={shown.alt} />
          ) : null}
          <TextArea
            key={text.key}
            name="caption"
            data-completes=""
            label="Write a Caption"
            rows={5}
            limit={limits.caption}
            hint="Words alone are enough. So is a photo."
            defaultValue={text.caption}
            error={shown.caption}
            onChange={card.clearErrors}
          />
          <div className={withPhotos ? "" : "hidden noscript:block"}>
            <ShowChoices shows={shows} onShows={setShows} />
          </div>
          <AudienceRow
            chosen={shows.audience}
            isPrivate={about.isPrivate}
            onChosen={(audience) => setShows({ ...shows, audience })}
          />
          <CommentersSelect
            chosen={shows.commentsFrom}
            onChosen={(commentsFrom) => setShows({ ...shows, commentsFrom })}
          />
          {withPhotos ? null : <NoScriptAlt alt={returned?.alt} error={shown.alt} />}
          <Problems problem={problem} draftProblem={composer.draftProblem} />
        </div>
        <div className={footClass}>
          <p className="mb-2 text-xs text-muted">
            {chosen ? detailsNote(shows) : null}
            <span className="hidden noscript:inline">
              Photos are shown without location or camera details, unless you chose otherwise.{" "}
            </span>
            <span className="noscript:hidden">
              {audienceNote({ chosen: shows.audience, isPrivate: about.isPrivate })}
            </span>
          </p>
          <Button look="primary" type="submit" pending={saving} className="send w-full">
            Post
          </Button>
        </div>
        {saving && (
          <Uploading photos={all} onTryAgain={photos.resume} onKeepEditing={composer.keepEditing} />
        )}
      </form>
    </>
  );
}

type NoScriptAltProps = { alt: string | undefined; error: string | undefined };

/** Without scripts, beside the file field. */
const NoScriptAlt = ({ alt, error }: NoScriptAltProps) => (
  <div className="hidden noscript:block">
    <TextField
      name="alt"
      label="Describe the photo"
      optional
      hint="Read aloud to people who can't see it. Of several photos, it describes the first."
      defaultValue={alt}
      error={error}
    />
  </div>
);

const draftProblemText = {
  full: "This device is out of space, so there is no draft of this post. Post it before you leave this page.",
  never:
    "This browser can't keep drafts, perhaps because this is a private window. Post this before you leave the page.",
};

type ProblemsProps = {
  problem: Problem | null;
  draftProblem: keyof typeof draftProblemText | null;
};

/** Errors of none of the fields, and the notice that no draft is stored. */
const Problems = ({ problem, draftProblem }: ProblemsProps) => (
  <div role="alert">
    {problem && !problem.fields?.["caption"] && !problem.fields?.["alt"] && (
      <ProblemLine problem={problem} pathname="/upload" />
    )}
    {draftProblem ? <p className="text-sm font-medium">{draftProblemText[draftProblem]}</p> : null}
  </div>
);
