import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { refuseEarly, type FieldErrors } from "#shared/early-refusals.ts";
import type { PostChoices } from "#shared/posts.ts";
import { isBlank } from "#shared/text.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { photosSent } from "#app/features/posts/composer/photos-sent.ts";
import type { DraftKeeper } from "#app/features/posts/composer/draft-keeper.ts";
import { callErrorOf, sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { postedPath } from "#app/lib/posted-path.ts";

export type Problem = {
  code: string;
  message: string;
  /** field name → sentence */
  fields?: FieldErrors | undefined;
};

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

  /** Sent again with the same key it makes no second post, from whichever tab. */
  async function send(caption: string, shows: PostChoices): Promise<{ number: number }> {
    const pictures = photos.all().map(({ imageId, alt }) => ({ imageId: imageId ?? "", alt }));
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await keeper.flush();
    return sendJson<{ number: number }>(
      "POST",
      "/api/posts",
      { caption, pictures, timeZone, ...shows },
      { "Idempotency-Key": keeper.id() },
    );
  }

  /** The new post; null: it was stopped. */
  async function publishOnce(
    caption: string,
    shows: PostChoices,
    signal: AbortSignal,
  ): Promise<{ number: number } | null> {
    if (photos.all().length === 0 && isBlank(caption)) throw refuseEarly("post-empty");
    await photosSent(photos, signal);
    if (signal.aborted) return null;
    try {
      return await send(caption, shows);
    } catch (error) {
      if (callErrorOf(error).code !== "picture-unknown") throw error;
      // Pictures that nobody used are swept after a while; their files are still here.
      photos.sendAgain();
      await photosSent(photos, signal);
      return signal.aborted ? null : send(caption, shows);
    }
  }

  async function publish(caption: string, shows: PostChoices): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    waiting.current = new AbortController();
    setSaving(true);
    setProblem(null);
    try {
      const post = await publishOnce(caption, shows, waiting.current.signal);
      if (!post) return;
      await keeper.finish();
      forgetLists();
      await navigate(postedPath(post));
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
