import { createHmac } from "node:crypto";
import type { Database } from "#server/platform/db/database.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/limits/limits.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** What is counted, and what a member sees who exceeded the limit: a whole sentence, as translations need it. */
const exceededMessages = {
  posts: "You've published a lot of posts in the last hour.",
  edits: "You've edited your posts a lot in the last hour.",
  comments: "You've written a lot of comments in the last hour.",
  mentions: "You've mentioned a lot of people in the last hour.",
  suggestions: "You've described a lot of photos in the last hour.",
  follows: "You've followed a lot of people in the last hour.",
  messages: "You've written a lot of messages in the last hour.",
  uploads: "You've uploaded a lot of pictures in the last hour.",
  albumUploads: "You've added a lot of photos to albums in the last day.",
  importUploads: "You've imported a lot of photos in the last day.",
  fetchedMegabytes: "You've brought a lot of photos from other sites in the last day.",
  importedPosts: "You've imported a lot of posts in the last day.",
  reports: "You've reported a lot in the last hour.",
  links: "You've made a lot of links in the last hour.",
} as const;

export type WriteKind = keyof typeof exceededMessages;
type Most = { newcomer: number } & ({ perHour: number } | { perDay: number });
export type WriteNumbers = Record<WriteKind, Most>;

type Deps = {
  db: Database;
  secret: string;
  /** false counts nothing and refuses nobody */
  enabled: boolean;
  /** whether this server sends emails: only then can an address be confirmed */
  mails: boolean;
  numbers?: WriteNumbers;
};

const hour = 60 * 60;

const periodOf = (most: Most) =>
  "perDay" in most
    ? { seconds: 24 * hour, most: most.perDay }
    : { seconds: hour, most: most.perHour };

/**
 * How much a member writes in an hour, or a day. Counted in the transaction of the write, so writes that fail are not
 * counted, and locking the counted row serializes one member's writes across all processes. Keys are keyed
 * hashes, as in limits.ts.
 */
export function createWriteRates(deps: Deps) {
  const { db, secret, enabled, mails, numbers = limits.writes } = deps;

  function countingOf(viewer: Viewer, kind: WriteKind, number: number): queries.CountRequest {
    const hash = createHmac("sha256", secret).update(`writes:${viewer.id}`).digest("base64url");
    const { seconds } = periodOf(numbers[kind]);
    return { key: `writes-${kind}:${hash}`, number, now: Date.now(), seconds };
  }

  /** Younger than a day or, where the server sends emails, with an unconfirmed address. */
  function isNewcomer({ id, emailVerified }: Viewer): boolean {
    return Date.now() - timeOf(id) < 24 * hour * 1000 || (mails && !emailVerified);
  }

  /**
   * Counts what a member just wrote, in the transaction that wrote it. Refuses with too-many-writes, which
   * also rolls the count back.
   */
  async function count(viewer: Viewer, kind: WriteKind, number = 1): Promise<void> {
    if (!enabled || number === 0) return;
    const { points, expire } = await queries.count(db, countingOf(viewer, kind, number));
    const { most } = periodOf(numbers[kind]);
    if (points <= (isNewcomer(viewer) ? numbers[kind].newcomer : most)) return;
    const retryAfter = Math.max(1, Math.ceil((expire - Date.now()) / 1000));
    const wait = waitOf(Math.ceil(retryAfter / 60));
    const message = `${exceededMessages[kind]} Please try again in ${wait}.`;
    throw refuse("too-many-writes", { message, retryAfter });
  }

  return { count };
}

function waitOf(minutes: number): string {
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

export type WriteRates = ReturnType<typeof createWriteRates>;
