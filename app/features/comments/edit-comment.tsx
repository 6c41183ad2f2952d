import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { limits } from "#shared/limits.ts";
import type { CommentView, PostView } from "#shared/views.ts";
import { callErrorOf, sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { callPathOf } from "#app/lib/text/links.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  comment: CommentView;
  post: PostView;
  onSaved: (comment: CommentView) => void;
  onClose: () => void;
};

/** Other words for one's comment, in its place. Escape leaves it as it is. */
export function EditComment({ comment, post, onSaved, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (saving) return;
    const body = String(new FormData(event.currentTarget).get("body"));
    setProblem(null);
    setSaving(true);
    try {
      onSaved(await sendJson("PATCH", `${callPathOf(post)}/comments/${comment.id}`, { body }));
      onClose();
    } catch (error) {
      setSaving(false);
      setProblem(callErrorOf(error).fields?.["body"] ?? sentenceOf(error));
    }
  }

  return (
    // Escape is a short cut to the button that stands there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) onClose();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
      }}
      className="pb-2"
    >
      <TextArea
        name="body"
        data-completes=""
        label="Edit your comment"
        labelHidden
        rows={2}
        required
        readOnly={saving}
        defaultValue={comment.body}
        limit={limits.comment}
        error={problem ?? undefined}
        className="min-h-11!"
      />
      <div className="flex justify-end gap-2 pt-2">
        <Button type="button" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" pending={saving}>
          Save
        </Button>
      </div>
    </form>
  );
}
