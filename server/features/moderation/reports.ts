import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import type { z } from "zod";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { networkOf } from "#server/platform/networks.ts";
import type { createAttemptLimits, WriteRates } from "#server/features/limits/index.ts";
import * as queries from "#server/features/moderation/reports.queries.ts";
import type { Notices } from "#server/features/talk/index.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { appReportInput, reportedInput, reportInput } from "#shared/reports.inputs.ts";
import type { OwnReport, ReportTarget } from "#shared/reports.ts";
import type { Page, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  store: Pick<ImageStore, "open">;
  /** where images of messages are stored */
  privateStore: Pick<ImageStore, "open">;
  notices: Notices;
  writes?: Pick<WriteRates, "count">;
  limits: Pick<ReturnType<typeof createAttemptLimits>, "count">;
  log: Pick<Logger, "warn">;
  newId?: NewId;
};

/**
 * What members report to moderators. All reports of one thing are one case until it is decided; it
 * has a copy of the text and images, so that deleting the original hides nothing.
 */
export function createReports(deps: Deps) {
  const { db, store, privateStore, notices, writes, limits: attempts, log } = deps;
  const { newId = freshId } = deps;

  /**
   * Another report of the same thing by the member replaces the first while nobody has decided.
   * Blocks do not prevent reports. `byApp`: `other` needs no text. Refuses with not-found,
   * self-report, input-invalid.
   */
  async function report(
    viewer: Viewer,
    reported: unknown,
    input: z.input<typeof appReportInput>,
    { byApp = false } = {},
  ): Promise<{ id: string }> {
    const { reason, words } = parseInput(byApp ? appReportInput : reportInput, input);
    const found = await findReported(viewer.id, reported);
    if (found.accountId === viewer.id) throw refuse("self-report");
    return file(found, async (ofCase, said) => {
      const row = { ...ofCase, id: newId(), reporterId: viewer.id, reason, words, said };
      const id = await queries.putReport(db, row);
      await writes?.count(viewer, "reports");
      return { id };
    });
  }

  /**
   * What a guest of a link reports of what the link shows, `about`, which its maker may read. Counted by the guest's
   * network, outside the transaction. Refuses with not-found, input-invalid, too-many-attempts.
   */
  async function reportAsGuest(
    { makerId, about }: { makerId: string; about: ReportTarget },
    input: { reason: string | undefined; words: string | undefined },
    ip: string,
  ): Promise<void> {
    const { reason, words } = parseInput(reportInput, { ...input, words: input.words ?? "" });
    const found = await findReported(makerId, about);
    await attempts.count("guest-reports", networkOf(ip));
    await file(found, (ofCase) =>
      queries.addGuestReport(db, { ...ofCase, id: newId(), reason, words }),
    );
  }

  async function findReported(readerId: string, reported: unknown): Promise<queries.Found> {
    const about = reportedInput.safeParse(reported);
    const found = about.success && (await queries.findReported(db, readerId, about.data));
    if (!found) throw refuse("not-found");
    return found;
  }

  /** Opens the case or finds it, writes the report, copies the images, and notifies moderators of a new one. */
  async function file<Answer>(
    found: queries.Found,
    write: (ofCase: { accountId: string; caseId: string }, said: string | null) => Promise<Answer>,
  ): Promise<Answer> {
    const images = await copyImages(found);
    return db.transaction(async () => {
      const opened = await queries.openCase(db, { ...found, id: newId() });
      const ofCase = { accountId: found.accountId, caseId: opened.id };
      const answer = await write(ofCase, found.said === opened.said ? null : found.said);
      await queries.addCaseImages(db, ofCase, images, reportLimits.pictures);
      if (opened.fresh) {
        const most = reportLimits.notifiedModerators;
        const moderatorIds = await queries.moderatorsBut(db, found.accountId, most);
        await notices.waiting(moderatorIds, newId());
      }
      return answer;
    });
  }

  /**
   * One variant of each image. One that cannot be read now, or is huge, is left out: the text is
   * there.
   */
  async function copyImages(found: queries.Found): Promise<queries.CaseImage[]> {
    const from = found.subject === "message" ? privateStore : store;
    const copies: queries.CaseImage[] = [];
    for (const [place, { widths, ...image }] of found.images.entries()) {
      const width = widths.findLast((each) => each <= reportLimits.pictureWidth) ?? widths[0] ?? 0;
      try {
        const variant = await from.open(image.key, width);
        if (!variant) continue;
        if (variant.bytes > reportLimits.pictureBytes) await variant.close();
        else copies.push({ ...image, place, bytes: await buffer(variant.read()) });
      } catch (error) {
        log.warn({ err: error, key: image.key }, "a reported image could not be copied");
      }
    }
    return copies;
  }

  /** One's own reports, newest first, with their outcome. */
  async function list(viewer: Viewer, cursor: string | null): Promise<Page<OwnReport>> {
    const size = reportLimits.page;
    const page = { reporterId: viewer.id, below: idBelow(cursor), limit: size + 1 };
    return toPage(await queries.reportsOf(db, page), size);
  }

  return { report, reportAsGuest, list };
}
