import { useState, type KeyboardEvent, type SubmitEvent } from "react";
import { commentProblem } from "#shared/comments.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { cleanText } from "#shared/text.ts";
import type { CommentView, PostView } from "#shared/views.ts";
import { dropDraft, useKeptDraft } from "#app/features/comments/kept-draft.ts";
import { useAddComment, type CommentProblem } from "#app/features/comments/use-add-comment.ts";
import { useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  post: PostView;
  clientKey: string;
  /** what a submit without scripts brought back */
  returned: { body: string; problem?: CommentProblem };
  onAdded: (comment: CommentView) => void;
};

function check(form: FormData): FieldErrors {
  const body = commentProblem(cleanText(String(form.get("body") ?? "")));
  return body === null ? {} : { body };
}

function submitByKeys(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** 'Leave a comment' with a 'post' button. Ctrl or ⌘ with Enter posts, too. */
export function CommentForm({ post, clientKey, returned, onAdded }: Props) {
  const viewer = useRootData()?.viewer ?? null;
  const signedIn = viewer !== null;
  const {
    add,
    saving,
    problem = returned.problem,
  } = useAddComment({
    post,
    signedIn,
    clientKey,
    onAdded,
  });
  const kept = useKeptDraft(post.id);
  const [posted, setPosted] = useState(false);
  const draft = posted ? "" : kept || returned.body;
  const { errors, onSubmit, onChange } = useFieldErrors(problem?.fields, check);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    const form = event.currentTarget;
    if (!(await add(String(new FormData(form).get("body"))))) return;
    dropDraft(post.id);
    setPosted(true);
    form.reset();
  }

  return (
    // The keys are a short cut to the button that stands there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      method="post"
      action={pathOfPost(post)}
      noValidate
      onSubmit={(event) => void submit(event)}
      onChange={onChange}
      onKeyDown={submitByKeys}
      className="flex items-end gap-2.5"
    >
      <input type="hidden" name="intent" value="comment" />
      <input type="hidden" name="clientKey" value={clientKey} />
      {viewer && (
        <span className="self-start pt-3">
          <Avatar name={viewer.name} picture={viewer.avatar} size="sm" />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <TextArea
          key={draft}
          name="body"
          data-completes=""
          label="Leave a comment"
          labelHidden
          placeholder="Leave a comment"
          rows={1}
          required
          readOnly={saving}
          defaultValue={draft}
          limit={limits.comment}
          error={errors["body"]}
          className="max-h-[40vh]! min-h-11! resize-none py-2"
        />
        <div role="alert">
          {problem && !problem.fields && (
            <p className="pt-1.5 text-sm font-medium text-danger">{problem.message}</p>
          )}
        </div>
      </div>
      <Button type="submit" look="primary" pending={saving} className="self-start mt-1.5">
        post
      </Button>
    </form>
  );
}
