import { useRef } from "react";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/composer.json";
import { audienceNote } from "#app/features/posts/audience/audience-choices.tsx";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { DescribeRow } from "#app/features/posts/composer/alt-field.tsx";
import { cardClass, footClass, wordsClass } from "#app/features/posts/composer/card-classes.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import {
  UploadedPhotos,
  type UploadedPhoto,
} from "#app/features/posts/composer/uploaded-photos.tsx";
import { Uploading } from "#app/features/posts/composer/lazy-uploading.ts";
import { PhotoSide } from "#app/features/posts/composer/photo-side.tsx";
import { detailsNote, ShowChoices } from "#app/features/posts/composer/show-choices.tsx";
import { useComposer, type ComposerOptions } from "#app/features/posts/composer/use-composer.ts";
import { CommentersSelect } from "#app/features/posts/composer/commenters-select.tsx";
import { WarningRow } from "#app/features/posts/composer/warning-row.tsx";
import { ProblemLine, type Problem } from "#app/lib/forms/problem.tsx";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Submit } from "#app/ui/button.tsx";
import { rowsClass } from "#app/ui/fold-row.tsx";
import { lazyComponent } from "#app/ui/lazy-component.tsx";
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
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const composer = useComposer(form, about);
  const { photos, all, card, text, shows, draft, saving } = composer;
  // The answer to a form without scripts is listed plainly until scripts run.
  const chosen = hydrated ? card.chosen : null;
  const brought = hydrated ? [] : (about.returned?.photos ?? []);

  return (
    <>
      {draft.restored && (
        <DraftNotice
          draft={draft}
          begun={text.key > 0}
          any={all.length > 0 || text.caption !== "" || shows.warning !== null}
        />
      )}
      <form
        ref={form}
        method="post"
        encType="multipart/form-data"
        onSubmit={(event) => void composer.submit(event)}
        onInput={composer.onInput}
        className={cardClass}
      >
        <input type="hidden" name="clientKey" value={clientKey} />
        <PhotoSide
          photos={photos}
          all={all}
          chosen={chosen}
          onChoose={card.choose}
          onDescribe={() => chosen && composer.describe(chosen.id)}
        />
        <Words {...{ composer, chosen, brought, about }} />
        <Foot {...{ composer, chosen, about }} />
        {saving && (
          <Uploading
            photos={all}
            caption={composer.sent}
            onTryAgain={photos.resume}
            onKeepEditing={composer.keepEditing}
            onGoOn={composer.goOn}
          />
        )}
      </form>
    </>
  );
}

type PartProps = {
  composer: ReturnType<typeof useComposer>;
  chosen: ChosenPhoto | null;
  about: ComposerOptions;
};

/** The text side: the caption, and rows for everything else. */
function Words({ composer, chosen, brought, about }: PartProps & { brought: UploadedPhoto[] }) {
  const { all, card, text, shows, setShows, problem } = composer;
  const shown = { ...problem?.fields, ...card.errors };
  const withPhotos = chosen !== null || brought.length > 0;
  return (
    <div className={wordsClass}>
      <UploadedPhotos photos={brought} />
      <TextArea
        key={text.key}
        name="caption"
        data-completes=""
        label={words.writeCaption}
        labelHidden
        placeholder={words.writeCaption}
        limit={limits.caption}
        defaultValue={text.caption}
        error={shown.caption}
        onChange={card.clearErrors}
        className={`composer-caption ${chosen ? "" : "composer-alone font-wordmark"}`}
      />
      {withPhotos ? null : <NoScriptAlt alt={about.returned?.alt} error={shown.alt} />}
      <Problems problem={problem} draftProblem={composer.draftProblem} />
      {/* Apart: what comes with a photo moves nothing that is there. */}
      <div className={`${rowsClass} composer-more ${withPhotos ? "" : "composer-plain"}`}>
        {chosen ? (
          <DescribeRow
            photos={all}
            card={card}
            error={shown.alt}
            open={composer.describing}
            onOpen={composer.setDescribing}
          />
        ) : null}
        <ShowChoices shows={shows} onShows={setShows} />
      </div>
      <div className={rowsClass}>
        <AudienceRow
          chosen={shows.audience}
          isPrivate={about.isPrivate}
          onChosen={(audience) => setShows({ ...shows, audience })}
        />
        <CommentersSelect
          chosen={shows.commentsFrom}
          onChosen={(commentsFrom) => setShows({ ...shows, commentsFrom })}
        />
        <WarningRow
          key={text.key}
          chosen={shows}
          error={shown.warning}
          onChange={card.clearErrors}
        />
      </div>
    </div>
  );
}

const Foot = ({ composer: { shows, saving }, chosen, about: { isPrivate } }: PartProps) => (
  <div className={footClass}>
    <p className="mb-2 text-xs text-balance text-muted">
      {chosen ? detailsNote(shows) : words.photoWordsOrBoth}{" "}
      <span className="composer-plain">{words.shownWithout} </span>
      <span className="noscript:hidden">{audienceNote({ chosen: shows.audience, isPrivate })}</span>
    </p>
    <Submit pending={saving} className="send w-full">
      {words.post}
    </Submit>
  </div>
);

type NoScriptAltProps = { alt: string | undefined; error: string | undefined };

/** Without scripts, beside the file field. */
const NoScriptAlt = ({ alt, error }: NoScriptAltProps) => (
  <div className="composer-plain">
    <TextField
      name="alt"
      label={words.describePhoto}
      optional
      hint={words.readAloudFirst}
      defaultValue={alt}
      error={error}
    />
  </div>
);

const draftProblemText = {
  full: words.noSpaceForDraft,
  never: words.noDrafts,
};

type ProblemsProps = {
  problem: Problem | null;
  draftProblem: keyof typeof draftProblemText | null;
};

/** Errors of none of the fields, and the notice that no draft is stored. */
const Problems = ({ problem, draftProblem }: ProblemsProps) => (
  <div role="alert" className="composer-problems">
    {problem && !["caption", "alt", "warning"].some((name) => problem.fields?.[name]) && (
      <ProblemLine problem={problem} pathname="/upload" />
    )}
    {draftProblem ? <p className="text-sm font-medium">{draftProblemText[draftProblem]}</p> : null}
  </div>
);
