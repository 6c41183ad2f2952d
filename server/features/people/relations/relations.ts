import { readDecimal } from "#server/db/decimal-ids.ts";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
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

/** Many accounts at once, as somebody sees them, and how that somebody stands to them. */
export function createRelations({ db }: { db: Database }) {
  /** Which accounts decimal ids name, seen or not; two that share one are neither. */
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

  /** Whom names in texts lead the viewer to: each as it is written there, in lower case. */
  const named = (viewer: Pick<Viewer, "id"> | null, names: readonly string[]) =>
    queries.named(db, viewer?.id ?? null, [...new Set(names)]);

  const relations = (viewer: Viewer, ids: readonly string[]): Promise<Relation[]> =>
    queries.relationsTo(db, viewer.id, ids.filter(isId));

  /** Whom the viewer follows that follow each of these: pairs, those followed last first, 20 of each. */
  const familiarFollowers = (viewer: Viewer, ids: readonly string[]) =>
    queries.familiarFollowers(db, viewer.id, ids.filter(isId), 20);

  /** How far the member read, in whichever app. */
  const markers = (viewer: Viewer) => queries.markersOf(db, viewer.id);

  /** Refuses with input-invalid what is no decimal id. */
  async function mark(viewer: Viewer, timeline: MarkedTimeline, lastReadId: string): Promise<void> {
    if (readDecimal(lastReadId) === null) throw refuse("input-invalid");
    await queries.writeMarker(db, viewer.id, { timeline, lastReadId });
  }

  return { find, findAll, details, named, relations, familiarFollowers, markers, mark };
}

export type Relations = ReturnType<typeof createRelations>;
