import { isRefusal, refuse, type Refusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { isBlank } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";
import { nothingSent, type Sent } from "#app/features/posts/alt-suggestions/sent.ts";
import { findPost, refOf, type PostAddress } from "#app/features/posts/find-post.server.ts";
import type { PageContext } from "#app/lib/context.server.ts";
import { problemOfRefusal } from "#app/lib/refusals.server.ts";

type Features = Pick<PageContext["features"], "posts" | "altSuggestions">;

/** A post, and the suggestions that the viewer sees. */
export async function readSuggestions(features: Features, viewer: Viewer, where: PostAddress) {
  const post = await findPost(features, viewer, where);
  return { post, own: await features.altSuggestions.ofPost(viewer, refOf(post)) };
}

/**
 * Suggests the texts of a form, `alt-` and the key of each photo. An error in one does not stop the others,
 * an unchanged one is not sent again, and an emptied field withdraws.
 */
export async function suggestFrom(
  features: Features,
  viewer: Viewer | null,
  where: PostAddress,
  fields: Record<string, string>,
): Promise<{ sent: Sent; refusal: Refusal | null }> {
  const typed = typedIn(fields);
  const wrong: Record<string, string> = {};
  let refusal: Refusal | null = null;
  try {
    if (!viewer) throw refuse("sign-in-required");
    const { own } = await readSuggestions(features, viewer, where);
    for (const [key, alt] of Object.entries(typed)) {
      const earlier = own.find((one) => one.key === key);
      try {
        await put(viewer, { key, alt, earlier });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error;
        const { fields: { alt: problem } = {} } = problemOfRefusal(error);
        if (problem) wrong[key] = problem;
      }
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refusal = error;
  }
  const problem = refusal && Object.keys(wrong).length === 0 ? problemOfRefusal(refusal) : null;
  return { sent: { ...nothingSent, done: refusal === null, typed, wrong, problem }, refusal };

  async function put(
    member: Viewer,
    {
      key,
      alt,
      earlier,
    }: { key: string; alt: string; earlier: { id: string; alt: string } | undefined },
  ): Promise<void> {
    const post = [where.address, Number(where.number)] as const;
    const { suggest, dismiss } = features.altSuggestions;
    if (isBlank(alt)) {
      if (earlier) await dismiss(member, ...post, earlier.id);
    } else if (alt !== earlier?.alt) {
      await suggest(member, ...post, { key, alt });
    }
  }
}

function typedIn(fields: Record<string, string>): Record<string, string> {
  const typed = Object.entries(fields).flatMap(([name, text]) =>
    name.startsWith("alt-") ? [[name.slice("alt-".length), text] as const] : [],
  );
  return Object.fromEntries(typed.slice(0, limits.photosPerPost));
}
