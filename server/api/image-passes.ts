import type { FastifyInstance } from "fastify";
import type { ImagePasses } from "#server/features/posts/index.ts";
import { bearerIn } from "#server/features/identity/index.ts";

/**
 * Gives programs, which send no cookie with an image, a pass for each image of an answer that is not for
 * everyone. Browsers need none.
 */
export function addImagePasses(
  calls: Pick<FastifyInstance, "addHook">,
  passes: Pick<ImagePasses, "issue">,
): void {
  calls.addHook("preSerialization", async ({ viewer, headers }, _reply, answer) =>
    viewer && bearerIn(headers.authorization) !== null
      ? withPasses(answer, (key) => passes.issue(viewer.sessionId, key))
      : answer,
  );
}

/** The same value; where it has such images, a copy, since others may be answered with it, too. */
function withPasses(value: unknown, issue: (key: string) => string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withPasses(item, issue));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (fields["gated"] === true && typeof fields["key"] === "string") {
    return { ...fields, pass: issue(fields["key"]) };
  }
  const changed = Object.entries(fields).flatMap(([name, field]) => {
    const now = withPasses(field, issue);
    return now === field ? [] : [[name, now] as const];
  });
  return changed.length === 0 ? value : { ...fields, ...Object.fromEntries(changed) };
}
