import { refuseEarly } from "#shared/early-refusals.ts";
import type { PostChoices } from "#shared/posts.ts";
import { isBlank } from "#shared/text.ts";
import * as words from "#messages/composer.json";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import type { DraftAutosave } from "#app/features/posts/composer/draft-autosave.ts";
import { callErrorOf, sendJson } from "#app/lib/api-client.ts";
import { problemOf, type Problem } from "#app/lib/forms/problem.tsx";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { loadSentences } from "#app/lib/text/said.ts";

/** A post as its author pressed Post. */
export type Written = {
  photos: ChosenPhotos;
  autosave: DraftAutosave;
  caption: string;
  shows: PostChoices;
};

type Published = { number: number };

/** Sent again with the same key it makes no second post, from whichever tab. */
async function send({ photos, autosave, caption, shows }: Written): Promise<Published> {
  const pictures = photos.all().map(({ imageId, alt }) => ({ imageId: imageId ?? "", alt }));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await autosave.flush();
  return sendJson<Published>(
    "POST",
    "/api/posts",
    { caption, pictures, timeZone, ...shows },
    { "Idempotency-Key": autosave.id() },
  );
}

/** The new post; null: it was stopped. */
async function publishOnce(written: Written, signal: AbortSignal): Promise<Published | null> {
  const { photos, caption } = written;
  if (photos.all().length === 0 && isBlank(caption)) {
    await loadSentences();
    throw refuseEarly("post-empty");
  }
  await photos.sent(signal);
  if (signal.aborted) return null;
  try {
    return await send(written);
  } catch (error) {
    if (callErrorOf(error).code !== "picture-unknown") throw error;
    // Unused images are swept after a while; their files are still here.
    photos.sendAgain();
    await photos.sent(signal);
    return signal.aborted ? null : send(written);
  }
}

/**
 * Publishes a post: waits for its photos, then sends the text, and forgets its draft.
 * @returns null where it was stopped before it was sent
 */
export async function publishPost(
  written: Written,
  signal: AbortSignal,
): Promise<Published | null> {
  const post = await publishOnce(written, signal);
  if (!post) return null;
  await written.autosave.finish();
  forgetLists();
  return post;
}

/** Why a post was not published, for its author. */
export function problemOfPost({ autosave }: Written, error: unknown): Problem {
  const { code, message, fields } = problemOf(error);
  if (code === "key-reused") autosave.startAnew();
  const sentence = code === "key-reused" ? words.alreadyPublished : message;
  const unexpected = code === "internal" || code === "away";
  return {
    code,
    message: unexpected ? fill(words.stillHere, { problem: sentence }) : sentence,
    fields,
  };
}
