import { Fragment, useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { Form } from "react-router";
import { limits } from "#shared/limits.ts";
import type { AltSuggestion, PostView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import { readAloud } from "#messages/composer.json";
import * as words from "#messages/editor.json";
import { AltField } from "#app/features/posts/composer/alt-field.tsx";
import { cardClass, footClass, wordsClass } from "#app/features/posts/composer/card-classes.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { PhotoSide } from "#app/features/posts/composer/photo-side.tsx";
import { useCard, useShownProblem } from "#app/features/posts/composer/use-card.ts";
import { Choices } from "#app/features/posts/editor/choices.tsx";
import { Uploading } from "#app/features/posts/composer/lazy-uploading.ts";
import {
  editedChoicesIn,
  type Returned,
  type Shows,
} from "#app/features/posts/editor/edit-state.ts";
import { NoScriptPhotos } from "#app/features/posts/editor/no-script-photos.tsx";
import { useEdit } from "#app/features/posts/editor/use-edit.ts";
import { ProblemLine } from "#app/lib/forms/problem.tsx";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Button, ButtonLink, Submit } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  post: PostView;
  /** descriptions of its photos that others suggest */
  suggestions: readonly AltSuggestion[];
  shows: Shows;
  returned: Returned | undefined;
};

/** Text and photos of a published post, on the same card as a new one. */
export function EditForm({ post, suggestions, shows, returned }: Props) {
  const hydrated = useHydrated();
  const edit = useEdit(post, shows, returned);
  const { photos, all, started, saving, problem } = edit;
  const card = useCard(photos, all);
  const { chosen } = card;
  const unsent = all.some(({ state }) => state !== "sent");
  useLeaveWarning(unsent);
  useEffect(() => () => photos.release(), [photos]);
  const form = useRef<HTMLFormElement>(null);
  useShownProblem(form, card.wrong ?? problem);

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const caption = String(typed.get("caption") ?? "");
    const choices = editedChoicesIn(typed);
    if (card.check({ caption, ...choices }, card.choose)) void edit.save(caption, choices);
  }

  const shown = { ...problem?.fields, ...card.errors };
  const path = pathOfPost(post);
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={submit}
      className={cardClass}
    >
      {/* The button that Enter in a field presses. */}
      <button type="submit" name="go" value="save" hidden>
        {common.save}
      </button>
      <input type="hidden" name="version" value={edit.version} />
      <div className="composer-scripted">
        <PhotoSide
          photos={photos}
          all={all}
          chosen={chosen}
          onChoose={card.choose}
          onDescribe={() => form.current?.querySelector<HTMLElement>('[name="alt"]')?.focus()}
        />
      </div>
      <div className={wordsClass}>
        {hydrated ? null : <NoScriptPhotos photos={started.photos} images={post.pictures} />}
        {chosen && (
          <Described
            chosen={chosen}
            suggestions={suggestions}
            onUse={(alt) => photos.describe(chosen.id, alt)}
          >
            <AltField
              {...{ photo: chosen, at: card.at, count: all.length, card }}
              hint={readAloud}
              error={shown.alt}
            />
          </Described>
        )}
        <TextArea
          name="caption"
          data-completes=""
          label={words.caption}
          rows={5}
          limit={limits.caption}
          defaultValue={started.caption}
          error={shown.caption}
          onChange={card.clearErrors}
        />
        <Choices
          {...{ post, started, shows }}
          withPhotos={all.length > 0}
          warning={{ error: shown.warning, onChange: card.clearErrors }}
        />
        <div role="alert" className="grid gap-3 empty:hidden">
          {problem && !shown.caption && !shown.alt && !shown.warning && (
            <ProblemLine problem={problem} pathname={path} />
          )}
          {problem && returned?.now && <PostNow caption={returned.now.caption} />}
        </div>
      </div>
      <Foot path={path} saving={saving} />
      {saving && unsent && (
        <Uploading photos={all} onTryAgain={photos.resume} onKeepEditing={edit.keepEditing} />
      )}
    </Form>
  );
}

type DescribedProps = {
  chosen: ChosenPhoto;
  suggestions: readonly AltSuggestion[];
  onUse: (alt: string) => void;
  /** the field for it */
  children: ReactNode;
};

/** The description of a photo, and the suggested ones. */
function Described({ chosen, suggestions, onUse, children }: DescribedProps) {
  /** counts accepted suggestions: the field is reset with each */
  const [filled, setFilled] = useState(0);
  return (
    <div className="grid gap-2 noscript:hidden">
      <Fragment key={filled}>{children}</Fragment>
      {suggestions
        .filter(({ key, alt }) => key === chosen.key && alt !== chosen.alt)
        .map(({ id, by, alt }) => (
          <div key={id} className="rounded-box border border-line px-3 pt-2 text-sm">
            <p className="text-muted">{rich(words.suggests, { name: <bdi>{by.name}</bdi> })}</p>
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {alt}
            </p>
            <Button
              look="quiet"
              className="-ms-3 px-3 text-primary"
              onClick={() => {
                onUse(alt);
                setFilled(filled + 1);
              }}
            >
              {words.useIt}
            </Button>
          </div>
        ))}
    </div>
  );
}

/** Edited elsewhere meanwhile. */
const PostNow = ({ caption }: { caption: string }) => (
  <figure className="rounded-box border border-line p-3">
    <figcaption className="text-sm text-muted">{words.nowSays}</figcaption>
    <blockquote dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {caption || words.nothing}
    </blockquote>
  </figure>
);

const Foot = ({ path, saving }: { path: string; saving: boolean }) => (
  <div className={footClass}>
    <p className="mb-2 text-xs text-pretty text-muted">{words.note}</p>
    <div className="flex gap-3">
      <ButtonLink to={path} className="max-md:hidden">
        {common.cancel}
      </ButtonLink>
      <Submit name="go" value="save" pending={saving} className="send grow">
        {common.save}
      </Submit>
    </div>
  </div>
);
