import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { writeMail } from "#server/adapters/mail/write-mail.ts";
import type { Mail } from "#server/adapters/mail/mail.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId } from "#server/platform/db/ids.ts";
import { readProfile } from "#server/features/archive/archive.queries.ts";
import { checkDaily, createArchiveFiles } from "#server/features/archive/archive-files.ts";
import * as queries from "#server/features/archive/exports.queries.ts";
import { sentImageBytes } from "#server/features/archive/messages.queries.ts";
import { writeArchive } from "#server/features/archive/write-archive.ts";
import { createZipWriter } from "#server/features/archive/zip-writer.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import type { JobRun, Jobs } from "#server/platform/jobs.ts";
import { messagesIn, readersLanguage, speaking } from "#server/platform/messages.ts";
import type { ExportView } from "#shared/archive.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { fill } from "#shared/messages.ts";
import { joinNames } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  log: Pick<Logger, "warn">;
  store: Pick<ImageStore, "openOriginal">;
  /** images in messages */
  privateStore: Pick<ImageStore, "openOriginal">;
  /** where finished archives are stored */
  files: PrivateFiles;
  config: { dataDir: string; publicUrl: string; languages?: readonly string[] };
  jobs: Pick<Jobs, "add" | "handle">;
  mail: Pick<Mail, "queue">;
  site: () => Promise<{ name: string }>;
  identity: {
    confirmation: {
      confirmUnlessFresh: (viewer: Viewer, proof: { password: string }) => Promise<void>;
    };
  };
};

const job = "export-archive";
/** Space that stays free on the disk beside an archive, bytes. */
const reserve = 200 * 1024 * 1024;

/**
 * An archive of everything an account has, made in the background and available to its owner alone for seven
 * days. An interrupted one is written again from the start: only a complete archive gets its final name.
 */
export function createExports(deps: Deps) {
  const { db, jobs, identity } = deps;
  const files = createArchiveFiles(deps, "exports");
  jobs.handle<{ id: string }>(job, ({ id }, run) => make({ ...deps, archives: files }, id, run), {
    longestSeconds: 6 * 60 * 60,
    retries: 3,
  });

  /**
   * Asks for the password where the session is not fresh, because an archive contains everything at once.
   * Refuses as identity.confirmation.confirm does, and with export-running and export-limit (retryAfter says
   * when).
   */
  async function start(viewer: Viewer, proof = { password: "" }): Promise<ExportView> {
    await identity.confirmation.confirmUnlessFresh(viewer, proof);
    const day = { most: limits.archive.exportsADay, code: "export-limit" } as const;
    return db.transaction(async () => {
      const id = newId();
      const started = await queries.insertExport(db, { accountId: viewer.id, id });
      if (!started) throw refuse("export-running");
      await checkDaily(db, "exports", { accountId: viewer.id, besides: id }, day);
      await jobs.add(job, { id }, { key: id });
      const [made] = await queries.listExports(db, viewer.id);
      if (!made) throw refuse("internal");
      return made;
    });
  }

  /**
   * A finished archive of the viewer's own, opened, and its file name: read it once or close it. Refuses
   * with not-found.
   */
  async function find(viewer: Viewer, id: string) {
    const found = isId(id) ? await queries.findReady(db, viewer.id, id) : null;
    const file = found && (await files.open(id));
    if (!file) throw refuse("not-found");
    const date = found.createdAt.toISOString().slice(0, 10);
    return { file, name: `postcard-${viewer.username}-${date}.zip` };
  }

  /** Removes expired archives, and files that no row names. */
  async function sweep(now = new Date()): Promise<void> {
    const expired = await queries.findExpired(db);
    await files.remove(expired);
    await queries.deleteExports(db, expired);
    await files.removeOrphans(now);
  }

  /** Newest first. */
  const list = (viewer: Viewer): Promise<ExportView[]> => queries.listExports(db, viewer.id);

  return { start, list, find, sweep, removeFilesOf: files.removeFilesOf };
}

type Making = Deps & { archives: ReturnType<typeof createArchiveFiles> };

async function make(making: Making, id: string, { signal, last }: Pick<JobRun, "signal" | "last">) {
  const { db, archives, config } = making;
  const wanted = await queries.findWaiting(db, id);
  if (!wanted) return archives.removeUnused([id]);
  // A draft of its own: a run on another process that stopped responding may still be writing another one.
  const draft = join(draftsIn(config), `${id}.${randomUUID()}.part`);
  try {
    const bytes = await write(making, wanted, draft, signal);
    await archives.put(id, draft);
    await finish(making, wanted, bytes);
  } catch (error) {
    await rm(draft, { force: true });
    if (last && !signal.aborted) {
      await queries.writeFailed(db, id);
      await archives.removeUnused([id]).catch(() => undefined);
    }
    throw error;
  }
}

/** Drafts are on this machine, wherever finished archives are stored. */
const draftsIn = ({ dataDir }: Deps["config"]) => join(dataDir, "exports");

/** Returns its size in bytes. */
async function write(
  making: Making,
  { id, accountId }: queries.ExportRow,
  draft: string,
  signal: AbortSignal,
): Promise<number> {
  const { db, store, privateStore, config } = making;
  await mkdir(draftsIn(config), { recursive: true, mode: 0o700 });
  await checkFreeSpace(making, accountId);
  const zip = createZipWriter(draft);
  const onProgress = async (done: number, total: number) => {
    signal.throwIfAborted();
    await queries.writeProgress(db, id, { done, total });
  };
  try {
    const { publicUrl: origin, languages = [] } = config;
    const to = { zip, origin, languages, onProgress };
    await writeArchive(accountId, { db, store, privateStore, ...to });
    return await zip.finish();
  } catch (error) {
    await zip.abandon();
    throw error;
  }
}

async function checkFreeSpace({ db, log, config }: Making, accountId: string): Promise<void> {
  const profile = await readProfile(db, accountId);
  const sent = await sentImageBytes(db, accountId);
  if ((profile?.imageBytes ?? 0) + sent + reserve > (await freeBytesIn(draftsIn(config)))) {
    log.warn({}, "not enough free space in DATA_DIR for an export");
    throw new Error("There is not enough free space for an archive");
  }
}

async function finish(making: Making, { id, accountId }: queries.ExportRow, bytes: number) {
  const { db, archives } = making;
  const older = await db.transaction(async () => {
    const days = limits.archive.retentionDays;
    const replaced = await queries.writeReady(db, { accountId, id, bytes, days });
    if (replaced) await mailOwner(making, accountId);
    return replaced;
  });
  if (older) await archives.remove(older);
  // The request was withdrawn meanwhile, or another run finished first and its archive is the current one.
  else await archives.removeUnused([id]);
  await archives.removeDrafts(id);
}

async function mailOwner({ db, mail, site, config }: Making, accountId: string): Promise<void> {
  const profile = await readProfile(db, accountId);
  if (!profile) return;
  const name = joinNames(profile.firstName, profile.secondName);
  const { name: siteName } = await site();
  const language = readersLanguage(profile.settings.language, config.languages ?? []);
  const words = messagesIn(language, "letters.json");
  await mail.queue(
    writeMail({
      to: { address: profile.email, ...(name && { name }) },
      language,
      subject: words.archiveSubject,
      paragraphs: [
        fill(words.archiveReady, { site: siteName }),
        speaking(language).counted(words.archiveDays, limits.archive.retentionDays),
      ],
      action: { label: words.archiveAction, url: `${config.publicUrl}/settings/data` },
      otherwise: words.archiveOtherwise,
      site: siteName,
      publicUrl: config.publicUrl,
    }),
  );
}
