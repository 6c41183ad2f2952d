import type { Database } from "#server/platform/db/database.ts";
import { writeFocalPoint } from "#server/features/posts/images/images.queries.ts";
import * as queries from "#server/features/posts/references/references.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { altTextProblem } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";
import type { ImageView, Viewer } from "#shared/views.ts";

/** Images that a program uploaded and no post shows yet. */
export function createUnclaimedImages(db: Database) {
  /** An unused image that the viewer uploaded, by the beginning of its key. */
  async function findUnclaimed(
    viewer: Viewer,
    beginning: string,
  ): Promise<{ id: string; picture: ImageView } | null> {
    const [found, other] = await queries.unclaimedImages(db, viewer.id, beginning);
    if (!found || other) return null;
    const { id, ...picture } = found;
    return { id, picture };
  }

  /** Sets its description and focal point before there is a post. Refuses with not-found, input-invalid. */
  async function describe(
    viewer: Viewer,
    imageId: string,
    { alt: typed, focalPoint }: { alt?: string | undefined; focalPoint?: FocalPoint | undefined },
  ): Promise<void> {
    if (typed !== undefined) {
      const alt = cleanText(typed);
      const problem = altTextProblem(alt);
      if (problem)
        throw refuse("input-invalid", { message: problem, fields: { description: problem } });
      const row = { accountId: viewer.id, imageId, alt };
      if (!(await queries.writeDescription(db, row))) throw refuse("not-found");
    }
    if (focalPoint) await writeFocalPoint(db, viewer.id, imageId, focalPoint);
  }

  return { findUnclaimed, describe };
}
