import { Fragment, useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { Form } from "react-router";
import { limits } from "#shared/limits.ts";
import { altTextProblem, captionProblem, type PostChoice } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";
import type { AltSuggestion, PostView } from "#shared/views.ts";
import { AltField } from "#app/features/posts/composer/alt-field.tsx";
import { cardClass, footClass, wordsClass } from "#app/features/posts/composer/card-classes.ts";
import { PhotoSide } from "#app/features/posts/composer/photo-side.tsx";
import { useShownProblem } from "#app/features/posts/composer/use-shown-problem.ts";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import { WhoComments } from "#app/features/posts/composer/who-comments.tsx";
import { Uploading } from "#app/features/posts/composer/uploading.tsx";
import type { Returned, Shows } from "#app/features/posts/editor/edit-state.ts";
import { PlainPhotos } from "#app/features/posts/editor/plain-photos.tsx";
import { useEdit } from "#app/features/posts/editor/use-edit.ts";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  post: PostView;
  /** how others describe its photos */
  suggestions: readonly AltSuggestion[];
  shows: Shows;
  returned: Returned | undefined;
};

/** Words and photos of a post that is out, on the same card as a new one. */
export function EditForm({ post, suggestions, shows, returned }: Props) {
  const hydrated = useHydrated();
  const edit = useEdit(post, shows, returned);
  const { photos, all, started, saving } = edit;
  const [chosenId, setChosenId] = useState("");
  const [errors, setErrors] = useState<{ caption?: string | undefined; alt?: string | undefined }>(
    {},
  );
  /** counts the descriptions that were taken: the field begins anew with each */
  const [filled, setFilled] = useState(0);
  const at = Math.max(
    all.findIndex(({ id }) => id === chosenId),
    0,
  );
  const chosen = all[at] ?? null;
  useLeaveWarning(all.some(({ state }) => state !== "sent"));
  useEffect(() => () => photos.putAway(), [photos]);
  const form = useRef<HTMLFormElement>(null);
  useShownProblem(form, errors.caption || errors.alt ? errors : edit.problem);

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const caption = String(typed.get("caption") ?? "");
    const overlong = all.find(({ alt }) => altTextProblem(cleanText(alt)));
    const found = {
      caption: captionProblem(cleanText(caption)) ?? undefined,
      alt: (overlong && altTextProblem(cleanText(overlong.alt))) ?? undefined,
    };
    setErrors(found);
    if (overlong) setChosenId(overlong.id);
    if (!found.caption && !found.alt) {
      void edit.save(caption, choicesIn(typed));
    }
  }

  // What has no control here would be reset by every edit.
  const { showCamera, showPlace, ...others } = {
    showCamera: <Choice name="showCamera" label="Show camera details" shown={started.showCamera} />,
    showPlace: shows.showPlace && (
      <Choice
        name="showPlace"
        label="Show where it was taken"
        hint="If you turn this off, the location is deleted and can't be shown again."
        shown={started.showPlace}
      />
    ),
    commentsFrom: <WhoComments chosen={started.commentsFrom} />,
  } satisfies Record<PostChoice, ReactNode>;

  const { problem } = edit;
  const shown = { ...problem?.fields, ...errors };
  const now = problem ? (returned?.now ?? null) : null;
  const path = pathOfPost(post);
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={submit}
      className={cardClass}
    >
      {/* What Enter in a field presses. */}
      <button type="submit" name="go" value="save" hidden>
        Save
      </button>
      <input type="hidden" name="version" value={edit.version} />
      <div className="contents noscript:hidden">
        <PhotoSide photos={photos} all={all} chosen={chosen} onChoose={setChosenId} />
      </div>
      <div className={wordsClass}>
        {hydrated ? null : <PlainPhotos photos={started.photos} pictures={post.pictures} />}
        {chosen && (
          <div className="grid gap-2 noscript:hidden">
            <AltField
              key={filled}
              photo={chosen}
              at={at}
              count={all.length}
              error={shown.alt}
              onAlt={(id, alt) => {
                setErrors({});
                photos.describe(id, alt);
              }}
            />
            {suggestions
              .filter(({ key, alt }) => key === chosen.key && alt !== chosen.alt)
              .map(({ id, by, alt }) => (
                <div key={id} className="rounded-box border border-line px-3 pt-2 text-sm">
                  <p className="text-muted">
                    <bdi>{by.name}</bdi> suggests
                  </p>
                  <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
                    {alt}
                  </p>
                  <Button
                    look="quiet"
                    className="-ms-3 px-3 text-primary"
                    onClick={() => {
                      photos.describe(chosen.id, alt);
                      setFilled(filled + 1);
                    }}
                  >
                    Use it
                  </Button>
                </div>
              ))}
          </div>
        )}
        <TextArea
          name="caption"
          data-completes=""
          label="Caption"
          rows={5}
          limit={limits.caption}
          defaultValue={started.caption}
          error={shown.caption}
          onChange={() => setErrors({})}
        />
        {all.length > 0 && (
          <div className="grid">
            {showCamera}
            {showPlace}
          </div>
        )}
        {Object.entries(others).map(([name, control]) => (
          <Fragment key={name}>{control}</Fragment>
        ))}
        <div role="alert" className="grid gap-3 empty:hidden">
          {problem && !shown.caption && !shown.alt && (
            <p className="font-medium text-danger">
              {problem.message}{" "}
              {problem.code === "sign-in-required" && (
                <a href={signInPath({ pathname: path })} target="_blank" className="link">
                  Sign in in another tab
                </a>
              )}
            </p>
          )}
          {now && (
            <figure className="rounded-box border border-line p-3">
              <figcaption className="text-sm text-muted">The post now says</figcaption>
              <blockquote dir="auto" className="whitespace-pre-wrap wrap-anywhere">
                {now.caption || "nothing"}
              </blockquote>
            </figure>
          )}
        </div>
      </div>
      <div className={footClass}>
        <p className="mb-2 text-xs text-pretty text-muted">
          People see that it was edited, and when. Only you see what it said before. Photos you
          remove are deleted for good.
        </p>
        <div className="flex gap-3">
          <ButtonLink to={path} className="max-md:hidden">
            Cancel
          </ButtonLink>
          <Button
            look="primary"
            type="submit"
            name="go"
            value="save"
            pending={saving}
            className="send grow"
          >
            Save
          </Button>
        </div>
      </div>
      {saving && all.some(({ state }) => state !== "sent") && (
        <Uploading photos={all} onTryAgain={photos.resume} onKeepEditing={edit.keepEditing} />
      )}
    </Form>
  );
}

type ChoiceProps = { name: string; label: string; hint?: string; shown: boolean };

/** What people see of how and where the photos were taken. */
function Choice({ name, label, hint, shown }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 py-1">
      <input
        type="checkbox"
        name={name}
        defaultChecked={shown}
        className="size-5 shrink-0 accent-primary"
      />
      <span>
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  );
}
