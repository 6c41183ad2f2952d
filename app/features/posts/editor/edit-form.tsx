import { useState, type ChangeEvent } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import type { FieldErrors } from "#shared/early-refusals.ts";
import { limits } from "#shared/limits.ts";
import type { PostView } from "#shared/views.ts";
import { movedPhoto, stateOf, type EditState } from "#app/features/posts/editor/edit-state.ts";
import { EditedPhoto } from "#app/features/posts/editor/edited-photo.tsx";
import { acceptedPictures } from "#app/lib/forms/use-file-input.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Returned = {
  /** null where the server was not reached: what stands in the form is the newest there is */
  state: EditState | null;
  problem: { code: string; message: string; fields?: FieldErrors | undefined } | null;
  /** what the post says now, where it was edited elsewhere meanwhile */
  now: string | null;
};

type Props = {
  post: PostView;
  shows: Pick<EditState, "showCamera" | "showPlace">;
  returned: Returned | undefined;
};

/**
 * Words and photos of a post that is out. A plain form: without scripts each button sends it and
 * brings it back; with them photos move in place.
 */
export function EditForm({ post, shows, returned }: Props) {
  const [state, setState] = useState(returned?.state ?? stateOf(post, shows));
  const [taken, setTaken] = useState(returned);
  if (taken !== returned) {
    setTaken(returned);
    if (returned?.state) setState(returned.state);
  }
  const busy = useNavigation().formData?.get("go");
  const submit = useSubmit();
  const { problem = null, now = null } = returned ?? {};
  const path = pathOfPost(post);
  const wrong = problem?.fields ?? {};
  const elsewhere = problem && !wrong.caption;

  function sendFile({ currentTarget: { form } }: ChangeEvent<HTMLInputElement>): void {
    if (!form) return;
    const fields = new FormData(form);
    fields.set("go", "add");
    void submit(fields, { method: "post", encType: "multipart/form-data" });
  }

  return (
    <Form method="post" encType="multipart/form-data" className="grid gap-6 px-4 pb-8 md:px-0">
      {/* What Enter in a field presses. */}
      <button type="submit" name="go" value="save" hidden>
        Save
      </button>
      <input type="hidden" name="version" value={state.version} />
      <TextArea
        name="caption"
        data-completes=""
        label="Caption"
        rows={5}
        limit={limits.caption}
        defaultValue={state.caption}
        error={wrong.caption}
      />
      {state.photos.length > 0 && (
        <ol aria-label="Photos" className="grid gap-4">
          {state.photos.map((photo, place) => (
            <EditedPhoto
              key={photo.key ?? photo.imageId}
              photo={photo}
              picture={post.pictures.find(({ key }) => key === photo.key)}
              place={place}
              count={state.photos.length}
              onMove={(by) => setState(movedPhoto(state, place, by))}
            />
          ))}
        </ol>
      )}
      {state.photos.length < limits.picturesPerPost && (
        <div className="grid gap-2">
          <label htmlFor="added-photo" className="text-sm font-medium">
            Add a photo
          </label>
          <div className="flex flex-wrap items-center gap-3">
            <input
              // Sent, it is one of the photos, and the next one may be chosen.
              key={state.photos.length}
              id="added-photo"
              type="file"
              name="image"
              accept={acceptedPictures}
              onChange={sendFile}
              className="min-h-11 max-w-full text-sm file:me-3 file:btn file:btn-outline file:border-line"
            />
            <noscript>
              <Button type="submit" name="go" value="add">
                Add
              </Button>
            </noscript>
            <span role="status" className="text-sm text-muted">
              {busy === "add" && "Adding your photo…"}
            </span>
          </div>
        </div>
      )}
      {state.photos.length > 0 && (
        <div className="grid">
          <Choice
            name="showCamera"
            label="Show camera details"
            shown={state.showCamera}
            onShown={(showCamera) => setState({ ...state, showCamera })}
          />
          {shows.showPlace && (
            <Choice
              name="showPlace"
              label="Show where it was taken"
              hint="Turned off, it is deleted and can't be shown again."
              shown={state.showPlace}
              onShown={(showPlace) => setState({ ...state, showPlace })}
            />
          )}
        </div>
      )}
      <div role="alert" className="grid gap-3 empty:hidden">
        {elsewhere && (
          <p className="font-medium text-danger">
            {problem.message}{" "}
            {problem.code === "sign-in-required" && (
              <a href={signInPath({ pathname: path })} target="_blank" className="link">
                Sign in in another tab
              </a>
            )}
          </p>
        )}
        {now !== null && (
          <figure className="rounded-box border border-line p-3">
            <figcaption className="text-sm text-muted">The post now says</figcaption>
            <blockquote dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {now || "nothing"}
            </blockquote>
          </figure>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" type="submit" name="go" value="save" pending={busy === "save"}>
          Save
        </Button>
        <ButtonLink to={path}>Cancel</ButtonLink>
      </div>
      <p className="text-sm text-muted">
        People will see that the post was edited, and when. What it said before is shown only to
        you. Photos you remove are deleted for good.
      </p>
    </Form>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  hint?: string;
  shown: boolean;
  onShown: (shown: boolean) => void;
};

/** What people see of how and where the photos were taken. */
function Choice({ name, label, hint, shown, onShown }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 py-1">
      <input
        type="checkbox"
        name={name}
        checked={shown}
        onChange={(event) => onShown(event.currentTarget.checked)}
        className="size-5 shrink-0 accent-primary"
      />
      <span>
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  );
}
