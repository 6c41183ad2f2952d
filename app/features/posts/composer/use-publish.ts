import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { refuseEarly, type FieldErrors } from "#shared/early-refusals.ts";
import { isBlank } from "#shared/text.ts";
import type { usePictureUpload } from "#app/features/posts/composer/use-picture-upload.ts";
import {
  callError,
  callErrorOf,
  isSignedOut,
  postForm,
  sentenceOf,
} from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";

export type Problem = {
  code: string;
  message: string;
  /** field name → sentence */
  fields?: FieldErrors | undefined;
};

const photoMissing =
  "Your photo didn't upload. Your caption is still here. Try the photo again, or remove it.";

const kept = "What you wrote and chose is still here.";

type Picture = ReturnType<typeof usePictureUpload>;
type Answer = { path: string };

/** Publishes a post: waits for its picture, then sends the words. One at a time. */
export function usePublish(picture: Picture) {
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null | undefined>();
  const busy = useRef(false);

  useLeaveWarning(saving);

  /** Its own place says what is wrong with it; beside the button stands what to do. */
  async function sentPicture(): Promise<string | null> {
    try {
      return await picture.finished();
    } catch (error) {
      if (isSignedOut(error)) throw error;
      throw callError("photo-missing", photoMissing, 0);
    }
  }

  async function send(fields: Record<string, string>): Promise<Answer> {
    const imageId = (await sentPicture()) ?? fields.imageId ?? "";
    if (!imageId && isBlank(fields.caption ?? "")) throw refuseEarly("post-empty");
    return postForm("/calls/publish", { ...fields, imageId });
  }

  async function publish(fields: Record<string, string>): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setSaving(true);
    setProblem(null);
    try {
      await send(fields);
      forgetLists();
      notify.success("Posted.");
      await navigate("/");
    } catch (error) {
      const { code = "internal", fields } = callErrorOf(error);
      const sentence = sentenceOf(error);
      const unexpected = code === "internal" || code === "away";
      setProblem({ code, message: unexpected ? `${sentence} ${kept}` : sentence, fields });
      // Unclaimed pictures are swept after a while; the file is still here.
      if (code === "picture-unknown") picture.again();
    } finally {
      busy.current = false;
      setSaving(false);
    }
  }
  return { publish, saving, problem };
}
