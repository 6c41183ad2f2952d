import { useEffect, useRef, type SubmitEvent } from "react";
import { limits } from "#shared/limits.ts";
import type { CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { problemAt, submitByKeys } from "#app/lib/forms/form-errors.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { instead } from "#app/lib/instead.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { Button, Submit } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  comment: CommentView;
  post: PostView;
  onSaved: (comment: CommentView) => void;
  onClose: () => void;
};

/** Edits one's own comment in place. Escape cancels. */
export function EditComment({ comment, post, onSaved, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { send, sending: saving, problem } = useSending();
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  function submit({ currentTarget }: SubmitEvent<HTMLFormElement>): void {
    const body = String(new FormData(currentTarget).get("body"));
    void send(async () => {
      onSaved(await sendJson("PATCH", `${apiPathOf(post)}/comments/${comment.id}`, { body }));
      onClose();
    });
  }

  return (
    // Escape is a shortcut for the Cancel button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      noValidate
      onSubmit={instead(submit)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) onClose();
        submitByKeys(event);
      }}
      className="pb-2"
    >
      <TextArea
        name="body"
        data-completes=""
        label={words.editYours}
        labelHidden
        rows={2}
        required
        readOnly={saving}
        defaultValue={comment.body}
        limit={limits.comment}
        error={problemAt("body", problem)}
        className="min-h-11!"
      />
      <div className="flex justify-end gap-2 pt-2">
        <Button type="button" onClick={onClose}>
          {common.cancel}
        </Button>
        <Submit pending={saving}>{common.save}</Submit>
      </div>
    </form>
  );
}
