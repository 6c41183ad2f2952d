import { readDecimal } from "#server/platform/db/decimal-ids.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/people/relations/relations.queries.ts";
import type {
  AccountDetails,
  Relation,
} from "#server/features/people/relations/relations.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

export type { AccountDetails, Relation };

/** Lists that a member reads in apps. */
export type MarkedTimeline = "home" | "notifications";

/** Many accounts at once, as a viewer sees them, and the viewer's relation to them. */
export function createRelations({ db }: { db: Database }) {
  /** The accounts that decimal ids name, visible or not; of two that share one, neither. */
  async function findAll(typed: readonly string[]): Promise<Map<string, string>> {
    const decimals = typed.filter((text) => readDecimal(text) !== null);
    if (decimals.length === 0) return new Map();
    const rows = await queries.idsWith(db, decimals);
    return new Map(
      decimals.flatMap((decimal) => {
        const [one, other] = rows.filter((row) => row.decimal === decimal);
        return one && !other ? [[decimal, one.id] as const] : [];
      }),
    );
  }

  async function find(decimal: string): Promise<string | null> {
    return (await findAll([decimal])).get(decimal) ?? null;
  }

  /** Those of these accounts that the viewer may see, in their order. */
  const details = (
    viewer: Pick<Viewer, "id"> | null,
    ids: readonly string[],
  ): Promise<AccountDetails[]> => queries.detailsOf(db, viewer?.id ?? null, ids.filter(isId));

  /**
   * The accounts that names in texts lead the viewer to: each as it is written there, in lower
   * case.
   */
  const named = (viewer: Pick<Viewer, "id"> | null, names: readonly string[]) =>
    queries.named(db, viewer?.id ?? null, [...new Set(names)]);

  const relations = (viewer: Viewer, ids: readonly string[]): Promise<Relation[]> =>
    queries.relationsTo(db, viewer.id, ids.filter(isId));

  /**
   * The viewer's followees that follow each of these: pairs, those followed last first, 20 of each.
   */
  const familiarFollowers = (viewer: Viewer, ids: readonly string[]) =>
    queries.familiarFollowers(db, viewer.id, ids.filter(isId), 20);

  /** The member's read markers, shared by all apps. */
  const markers = (viewer: Viewer) => queries.markersOf(db, viewer.id);

  /** Refuses an invalid decimal id with input-invalid. */
  async function mark(viewer: Viewer, timeline: MarkedTimeline, lastReadId: string): Promise<void> {
    if (readDecimal(lastReadId) === null) throw refuse("input-invalid");
    await queries.writeMarker(db, viewer.id, { timeline, lastReadId });
  }

  return { find, findAll, details, named, relations, familiarFollowers, markers, mark };
}

export type Relations = ReturnType<typeof createRelations>;
