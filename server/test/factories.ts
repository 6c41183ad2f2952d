import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import sharp from "sharp";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { createPageReader } from "#server/adapters/page-reader/page-reader.ts";
import { createPhotoFetcher } from "#server/adapters/photo-fetcher/photo-fetcher.ts";
import { createPushSender, makeVapidKeys } from "#server/adapters/push/push.ts";
import type { Config } from "#server/config.ts";
import type { Secrets } from "#server/platform/data-dir.ts";
import type { Database } from "#server/platform/db/database.ts";
import { createHints } from "#server/platform/db/hints.ts";
import { hintWords } from "#server/features/change-hint.ts";
import { createFeatures } from "#server/features/index.ts";
import { createJobs } from "#server/platform/jobs.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import type { PostRef } from "#server/features/types.ts";
import type { Viewer } from "#shared/views.ts";
import { testStores } from "#server/test/image-stores.ts";
import { afterFile } from "#server/test/after-file.ts";
import { query } from "#server/test/query.ts";
import { testPassword, memberInserter } from "#server/test/insert-member.ts";

/** A post as tests use it: its key, its number and its author. */
export type MadePost = PostRef & { number: number; author: Viewer };

type Options = Partial<
  Pick<Config, "origins" | "rateLimits" | "imageBaseUrl" | "imageStore" | "languages">
> & {
  /** how long an import runs before the next one's turn, milliseconds */
  importTurnMs?: number;
  /** free space on the disk */
  freeBytes?: () => Promise<number>;
  /** where images are stored; in a folder of its own if not given */
  stores?: Pick<ImageStores, "store" | "privateStore"> & Partial<Pick<ImageStores, "files">>;
  /** a mail server; without one, mails become files */
  smtpUrl?: string;
  /** the data folder of other features, which these continue */
  folder?: string;
  /** shared by the servers of one installation; of its own if not given */
  secrets?: Secrets;
};

export const testSecrets = (): Secrets => ({
  authSecret: randomBytes(32).toString("base64url"),
  vapid: makeVapidKeys(),
});

/** The features on a database and a folder of images, and people and posts made with them. */
export function testFeatures(
  db: Database,
  {
    smtpUrl,
    importTurnMs,
    freeBytes,
    stores,
    folder: given,
    secrets = testSecrets(),
    ...config
  }: Options = {},
) {
  const folder = given ?? mkdtempSync(join(tmpdir(), "postcard-features-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const log = pino({ level: "silent" });
  const { store, privateStore, files } = { ...testStores(folder), ...stores };
  const hints = createHints({ db, log, words: hintWords });
  afterFile(() => hints.close());
  const jobs = createJobs({ db, log });
  afterFile(jobs.stop);
  const publicUrl = "http://localhost:3000";
  const mailFrom = { name: "", address: "postcard@localhost" };
  const mail = openMail({
    config: { smtpUrl: smtpUrl ?? null, mailFrom },
    files,
    jobs,
    log,
  });
  afterFile(mail.close);
  const { vapid, authSecret } = secrets;
  const features = createFeatures({
    db,
    log,
    store,
    privateStore,
    files,
    hints,
    jobs,
    mail,
    config: { publicUrl, origins: [publicUrl], rateLimits: false, dataDir: folder, ...config },
    secrets,
    pushSender: createPushSender({ keys: vapid, publicUrl, loopback: true }),
    pageReader: createPageReader({ publicUrl, loopback: true }),
    photoFetcher: createPhotoFetcher({ publicUrl, most: 100_000, loopback: true, timeoutMs: 1000 }),
    ...(importTurnMs !== undefined && { importTurnMs }),
    ...(freeBytes && { freeBytes }),
  });
  const { identity, images, posts } = features;
  const insertMember = memberInserter({ db, store, secret: authSecret });
  let photoFile: Promise<ReceivedUpload> | undefined;

  /** A small JPEG on disk, as the form parser provides it. */
  function photo(): Promise<ReceivedUpload> {
    photoFile ??= drawPhoto(join(folder, "photo.jpg"));
    return photoFile;
  }

  /** Signs somebody up: for tests of what a sign-up causes, for instance a mail. */
  async function signUp(name = "Ada Lovelace"): Promise<Viewer> {
    const { viewer } = await identity.signUp.withPassword({
      ...(await somebody(name)),
      email: `${randomBytes(6).toString("hex")}@example.org`,
      password: testPassword,
      client: { ip: "192.0.2.1", userAgent: "a test", cookieHeader: "" },
    });
    return viewer;
  }

  /**
   * Inserts a member. `name` is first and second name, in that order; `joined` in epoch milliseconds, if not
   * now.
   */
  async function member(name = "Ada Lovelace", joined?: number): Promise<Viewer> {
    // With a mail server, a test may wait for the mail about a sign-up.
    if (smtpUrl) return signUp(name);
    return (await insertMember({ ...(await somebody(name)), joined })).viewer;
  }

  async function somebody(name: string) {
    const [firstName = "", ...rest] = name.split(" ");
    return { firstName, secondName: rest.join(" "), picture: await photo() };
  }

  async function members(count: number): Promise<Viewer[]> {
    const made: Viewer[] = [];
    for (let i = 0; i < count; i += 1) made.push(await member(`Person ${i}`));
    return made;
  }

  /** An image that `author` uploaded and has not used yet. */
  async function upload(author: Viewer): Promise<string> {
    return (await images.upload(author, await photo())).imageId;
  }

  async function publish(author: Viewer, post: Partial<Parameters<typeof posts.publish>[1]>) {
    const empty = { caption: "", pictures: [], timeZone: "UTC", clientKey: null };
    const { id, number } = await posts.publish(author, { ...empty, ...post });
    return { authorId: author.id, postId: id, number, author };
  }

  async function photoPost(author: Viewer, caption = "", alts = [""]): Promise<MadePost> {
    const pictures = [];
    for (const alt of alts) pictures.push({ imageId: await upload(author), alt });
    return publish(author, { caption, pictures });
  }

  function textPost(author: Viewer, caption = "A few words"): Promise<MadePost> {
    return publish(author, { caption });
  }

  /** Suspends an account as an operator does: nothing of it is visible any more. */
  async function suspend(account: { id: string }): Promise<void> {
    await query(db, "update accounts set suspended_at = now() where id = $1", [account.id]);
  }

  return {
    ...features,
    privateStore,
    files,
    db,
    store,
    hints,
    jobs,
    mail,
    /** where its files are */
    folder,
    photo,
    signUp,
    member,
    members,
    upload,
    publish,
    photoPost,
    textPost,
    suspend,
  };
}

export type TestFeatures = ReturnType<typeof testFeatures>;

/** Reads every page of a list; fails if it does not end. */
export async function everyPage<Item>(
  read: (cursor: string | null) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 1000; pages += 1) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
  throw new Error("the list has no end");
}

async function drawPhoto(path: string): Promise<ReceivedUpload> {
  const { size } = await sharp({
    create: { width: 96, height: 64, channels: 3, background: "#336699" },
  })
    .jpeg()
    .toFile(path);
  return { path, bytes: size, filename: "photo.jpg", mediaType: "image/jpeg" };
}
