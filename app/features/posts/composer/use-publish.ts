import { useNavigate } from "react-router";
import { refuseEarly } from "#shared/early-refusals.ts";
import type { PostChoices } from "#shared/posts.ts";
import { isBlank } from "#shared/text.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { photosSent } from "#app/features/posts/composer/photos-sent.ts";
import type { DraftAutosave } from "#app/features/posts/composer/draft-autosave.ts";
import { callErrorOf, sendJson } from "#app/lib/api-client.ts";
import { problemOf } from "#app/lib/forms/problem.tsx";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { postedPath } from "#app/lib/posted-path.ts";

type Written = {
  photos: ChosenPhotos;
  autosave: DraftAutosave;
  caption: string;
  shows: PostChoices;
};

const alreadyPublished =
  "This post went out the first time, without your latest changes. Press Post to publish it as another one.";

const stillHere = "What you wrote and chose is still here.";

/** Sent again with the same key it makes no second post, from whichever tab. */
async function send({ photos, autosave, caption, shows }: Written): Promise<{ number: number }> {
  const pictures = photos.all().map(({ imageId, alt }) => ({ imageId: imageId ?? "", alt }));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await autosave.flush();
  return sendJson<{ number: number }>(
    "POST",
    "/api/posts",
    { caption, pictures, timeZone, ...shows },
    { "Idempotency-Key": autosave.id() },
  );
}

/** The new post; null: it was stopped. */
async function publishOnce(
  written: Written,
  signal: AbortSignal,
): Promise<{ number: number } | null> {
  const { photos, caption } = written;
  if (photos.all().length === 0 && isBlank(caption)) throw refuseEarly("post-empty");
  await photosSent(photos, signal);
  if (signal.aborted) return null;
  try {
    return await send(written);
  } catch (error) {
    if (callErrorOf(error).code !== "picture-unknown") throw error;
    // Unused images are swept after a while; their files are still here.
    photos.sendAgain();
    await photosSent(photos, signal);
    return signal.aborted ? null : send(written);
  }
}

/** Publishes a post: waits for its photos, then sends the text. One at a time. */
export function usePublish(photos: ChosenPhotos, autosave: DraftAutosave) {
  const navigate = useNavigate();
  const { send: start, sending, problem, stop } = useSending();

  function explain(error: unknown) {
    const { code, message, fields } = problemOf(error);
    if (code === "key-reused") autosave.startAnew();
    const sentence = code === "key-reused" ? alreadyPublished : message;
    const unexpected = code === "internal" || code === "away";
    return { code, message: unexpected ? `${sentence} ${stillHere}` : sentence, fields };
  }

  return {
    publish: (caption: string, shows: PostChoices) =>
      start(async (signal) => {
        const post = await publishOnce({ photos, autosave, caption, shows }, signal);
        if (!post) return;
        await autosave.finish();
        forgetLists();
        await navigate(postedPath(post));
      }, explain),
    saving: sending,
    problem,
    /** Back to the composer: uploads go on, and nothing is published. */
    keepEditing: stop,
  };
}
