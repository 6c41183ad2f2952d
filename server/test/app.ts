import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import { createApp } from "#server/app.ts";
import { readConfig, type Config } from "#server/config.ts";
import type { Secrets } from "#server/platform/data-dir.ts";
import type { Database } from "#server/platform/db/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client } from "#server/test/identity.ts";
import { loadBuiltScreens, type Screens } from "#server/screens.ts";
import type { Viewer } from "#shared/views.ts";
import { afterFile } from "#server/test/after-file.ts";

const projectRoot = join(import.meta.dirname, "../..");

/** Null for a visitor. */
export type Caller = Viewer | null;

const noScreens: Screens = {
  clientDirectory: null,
  languageAssets: [],
  languages: [{ tag: "en", name: "English", draft: false }],
  attach: async () => undefined,
  respond: async () => new Response("a screen", { headers: { "Content-Type": "text/html" } }),
  names: new Set(),
  close: async () => undefined,
};

/** The screens as `npm test` built them; an error that one of them reports fails the test. */
export const builtScreens = (languages?: readonly string[]): Promise<Screens> =>
  loadBuiltScreens(
    projectRoot,
    (error) => {
      throw error;
    },
    languages,
  );

type Options = {
  rateLimits?: boolean;
  /** a mail server; without one, mails become files */
  smtpUrl?: string;
  /** where images are stored; in a folder of their own if not given */
  stores?: Pick<ImageStores, "store" | "privateStore"> & Partial<Pick<ImageStores, "files">>;
  /** whether the image store says that it is available */
  pictures?: Pick<ImageStores, "isReady">;
  /** the built ones, if a test submits forms */
  screens?: Screens;
  /** the data folder of another server, which this one continues */
  folder?: string;
  /** shared by the servers of one installation */
  secrets?: Secrets;
};

/**
 * The whole server in this process, without screens, on a database of the test: call it as members do.
 * `config` are an operator's settings; `rateLimits` are those of the features, not the one for all requests.
 */
export async function testApp(
  db: Database,
  config: Partial<Config> = {},
  {
    rateLimits = false,
    smtpUrl,
    stores,
    screens = noScreens,
    pictures = { isReady: async () => true },
    folder,
    secrets,
  }: Options = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), "postcard-app-"));
  afterFile(() => rmSync(dataDir, { recursive: true, force: true }));
  const defaults = readConfig({ NODE_ENV: "test", DATA_DIR: dataDir, RATE_LIMITS: "off" });
  const { origins } = defaults;
  const features = testFeatures(db, {
    origins,
    rateLimits,
    ...(smtpUrl && { smtpUrl }),
    ...(stores && { stores }),
    ...(config.languages && { languages: config.languages }),
    ...(config.imageBaseUrl && { imageBaseUrl: config.imageBaseUrl }),
    ...(folder && { folder }),
    ...(secrets && { secrets }),
  });
  const app = await createApp({
    config: { ...defaults, ...config },
    db,
    features,
    store: features.store,
    pictures: { onDisk: (look) => look(), ...pictures },
    hints: features.hints,
    log: pino({ level: "silent" }),
    screens,
  });
  afterFile(() => app.close());
  await app.ready();

  const cookies = new Map<string, string>();

  /** The Cookie header of a member's session, which begins at the first call. */
  async function cookieOf({ id }: Viewer): Promise<string> {
    const begun = cookies.get(id);
    if (begun) return begun;
    const { cookies: set } = await features.identity.signIn.complete(id, client(), "link");
    cookies.set(id, asCookieHeader(set));
    return asCookieHeader(set);
  }

  /** A request of a member, with the cookie of their session. */
  async function call(caller: Caller, method: string, url: string, options: InjectOptions = {}) {
    const cookie = caller ? await cookieOf(caller) : undefined;
    return app.inject({
      ...options,
      method: method as "GET",
      url,
      headers: { ...(cookie ? { cookie } : {}), ...options.headers },
    });
  }

  return { app, features, call, cookieOf };
}
