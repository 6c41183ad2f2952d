import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { refuseEarly, type FieldErrors } from "#shared/early-refusals.ts";
import { isBlank } from "#shared/text.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import type { Shows } from "#app/features/posts/composer/show-choices.tsx";
import type { DraftKeeper } from "#app/features/posts/composer/draft-keeper.ts";
import {
  callError,
  callErrorOf,
  isSignedOut,
  sendJson,
  sentenceOf,
} from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";

export type Problem = {
  code: string;
  message: string;
  /** field name → sentence */
  fields?: FieldErrors | undefined;
};

const photoMissing =
  "Your photo didn't upload. Your caption is still here. Try the photo again, or remove it.";
const photosMissing =
  "One of your photos didn't upload. Everything is still here. Try that photo again, or remove it.";
const outAlready =
  "This post went out the first time, without your latest changes. Press Post to publish it as another one.";

const kept = "What you wrote and chose is still here.";

/** Publishes a post: waits for its photos, then sends the words. One at a time. */
export function usePublish(photos: ChosenPhotos, keeper: DraftKeeper) {
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null | undefined>();
  /** while photos are on their way: the way back into the composer */
  const waiting = useRef<AbortController | null>(null);
  const busy = useRef(false);

  /** Their own place says what is wrong with them; beside the button stands what to do. */
  async function sentPhotos(signal: AbortSignal): Promise<void> {
    try {
      await photos.sent(signal);
    } catch (error) {
      if (isSignedOut(error)) throw error;
      const several = photos.all().length > 1;
      throw callError("photo-missing", several ? photosMissing : photoMissing, 0);
    }
  }

  /** Sent again with the same key it makes no second post, from whichever tab. */
  async function send(caption: string, shows: Shows): Promise<void> {
    const pictures = photos.all().map(({ imageId, alt }) => ({ imageId: imageId ?? "", alt }));
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await keeper.flush();
    await sendJson(
      "POST",
      "/api/posts",
      { caption, pictures, timeZone, ...shows },
      { "Idempotency-Key": keeper.id() },
    );
  }

  async function publishOnce(caption: string, shows: Shows, signal: AbortSignal): Promise<boolean> {
    if (photos.all().length === 0 && isBlank(caption)) throw refuseEarly("post-empty");
    await sentPhotos(signal);
    if (signal.aborted) return false;
    try {
      await send(caption, shows);
    } catch (error) {
      if (callErrorOf(error).code !== "picture-unknown") throw error;
      // Pictures that nobody used are swept after a while; their files are still here.
      photos.sendAgain();
      await sentPhotos(signal);
      if (signal.aborted) return false;
      await send(caption, shows);
    }
    return true;
  }

  async function publish(caption: string, shows: Shows): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    waiting.current = new AbortController();
    setSaving(true);
    setProblem(null);
    try {
      if (!(await publishOnce(caption, shows, waiting.current.signal))) return;
      await keeper.finish();
      forgetLists();
      notify.success("Posted.");
      await navigate("/");
    } catch (error) {
      const { code = "internal", fields } = callErrorOf(error);
      if (code === "key-reused") keeper.startAnew();
      const sentence = code === "key-reused" ? outAlready : sentenceOf(error);
      const unexpected = code === "internal" || code === "away";
      setProblem({ code, message: unexpected ? `${sentence} ${kept}` : sentence, fields });
    } finally {
      busy.current = false;
      setSaving(false);
    }
  }

  return {
    publish,
    saving,
    problem,
    /** Back to the composer: what is on its way goes on, and nothing is published. */
    keepEditing: () => waiting.current?.abort(),
  };
}
