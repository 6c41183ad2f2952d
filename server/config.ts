import { availableParallelism } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { isLoopback } from "#server/platform/networks.ts";
import { readProviders } from "#server/adapters/identity-providers/settings.ts";
import {
  readBucket,
  readImageStores,
  refuseNested,
  type S3Settings,
} from "#server/adapters/image-store/settings.ts";
import {
  mailHost,
  readSender,
  variables,
  type Variables,
} from "#server/platform/config-variables.ts";

/** All settings of an operator, checked. docs/operations.md explains each variable. */
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the configuration from an environment.
 * Throws an Error whose message is one sentence for the operator; it never repeats a secret.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  // `PORT= npm start` is the same as no PORT at all.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const values = checked(given);
  refuseOpenLimits(values);
  refuseLoneAddresses(values);
  const stores = readImageStores(given, { key: values.IMGBB_KEY, api: values.IMGBB_URL });
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  return {
    nodeEnv: values.NODE_ENV,
    /** TCP port; 0 lets the system choose one. */
    port: values.PORT,
    host: values.HOST,
    /** The address people type, without a slash at the end. */
    publicUrl,
    /** Origins whose requests count as our own; the first is that of publicUrl. */
    origins: values.PUBLIC_URL ? [publicUrl] : localOrigins(values.PORT),
    /** Other origins whose pages may call /api from a browser, with cookies. None unless set. */
    corsOrigins: values.CORS_ORIGINS,
    /** The languages that screens are offered in; the first is for who asks for none of them. */
    languages: values.LANGUAGES,
    /** How many processes answer requests. */
    processes: processesOf(values),
    /** port of 127.0.0.1 for Prometheus; null: none */
    metricsPort: values.METRICS_PORT ?? null,
    /** Absolute path of the folder with all data that must not be lost. */
    dataDir: resolve(values.DATA_DIR),
    /** Absolute path of the file with the keys that all servers of an installation share. */
    secretsFile: resolve(values.SECRETS_FILE ?? join(values.DATA_DIR, "secrets.json")),
    /** Null: the embedded PostgreSQL in dataDir. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** The same database without a pooler, so that a connection is a session; null: databaseUrl. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    /** A replica of the database for reads; null: reads go to the database itself. */
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    /** Where images are stored, and the store they are moved from; null if they are not moved. */
    ...stores,
    /**
     * Where backups are: the absolute path of a folder, or `s3://bucket/folder`; null if none are taken.
     * `backupBucket` is what S3 needs to know.
     */
    ...readBackupDir(values, given, stores),
    /** Time of day for backups, by the clock of this machine, minutes after midnight. */
    backupAt: values.BACKUP_AT,
    /** Where browsers find public images, without a slash at the end; null: at publicUrl. */
    imageBaseUrl: imageBaseOf(values, publicUrl),
    /** The mail server; null: mails become files in dataDir. */
    smtpUrl: values.SMTP_URL ?? null,
    /** The sender of mails; an empty name stands for the site's name. */
    mailFrom: (values.MAIL_FROM ? readSender(values.MAIL_FROM) : null) ?? {
      name: "",
      address: `postcard@${mailHost(publicUrl)}`,
    },
    logLevel: values.LOG_LEVEL,
    rateLimits: values.RATE_LIMITS === "on",
    /** Proxies whose X-Forwarded-For is trusted: "loopback", addresses or CIDR ranges. */
    trustProxy: values.TRUST_PROXY,
    /** The identity providers that people may sign in with, besides a password. */
    providers: readProviders(given),
  };
}

function checked(given: Record<string, string | undefined>): Variables {
  const parsed = variables.safeParse(given);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0]) as keyof typeof variables.shape;
  const allowed = variables.shape[name].description;
  throw new Error(`${name} is ${shown(name, given[name])}, but must be ${allowed}.`);
}

/** The same configuration with the port that the system chose. */
export function withPort(config: Config, port: number): Config {
  if (config.origins.length === 1) return { ...config, port };
  return { ...config, port, publicUrl: `http://localhost:${port}`, origins: localOrigins(port) };
}

/**
 * Half of the cores if PROCESSES is not set: two thirds of the cost of a request is PostgreSQL's, often on
 * the same machine. In development there is one process, which runs Vite.
 */
function processesOf({ PROCESSES: asked, NODE_ENV: env }: Variables): number {
  if (env === "development") return 1;
  if (asked !== undefined || env === "test") return asked ?? 1;
  return Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2)));
}

type BackupPlace<Path> = { backupDir: Path; backupBucket: S3Settings | null };

/** Refuses a folder inside DATA_DIR, or with the images: a backup there would be lost with the originals. */
function readBackupDir(
  { BACKUP_DIR: text, DATA_DIR: data }: Variables,
  given: Record<string, string | undefined>,
  { imageStore, imageStoreFrom }: ReturnType<typeof readImageStores>,
): BackupPlace<string | null> {
  if (text === undefined) return { backupDir: null, backupBucket: null };
  const place = readBackupPlace(text, given);
  for (const store of [imageStore, imageStoreFrom]) {
    if (store?.kind !== "s3" || !place.backupBucket) continue;
    const name = store === imageStore ? "IMAGE_STORE" : "IMAGE_STORE_FROM";
    refuseNested(store, name, place.backupBucket, "BACKUP_DIR");
  }
  const way = relative(resolve(data), place.backupDir);
  if (place.backupBucket || way.startsWith("..") || isAbsolute(way)) return place;
  throw new Error(`BACKUP_DIR is ${text}, but must not lie in DATA_DIR.`);
}

/**
 * Where backups are, from BACKUP_DIR or from the operand of a command. An S3 address without a question mark is
 * at the endpoint of BACKUP_DIR. Throws one sentence.
 */
export function readBackupPlace(
  text: string,
  given: Record<string, string | undefined> = process.env,
): BackupPlace<string> {
  if (!text.startsWith("s3://")) return { backupDir: resolve(text), backupBucket: null };
  const [, query = ""] = given["BACKUP_DIR"]?.trim().split("?") ?? [];
  const address = text.includes("?") ? text : `${text}?${query}`;
  const bucket = readBucket(given, "BACKUP_DIR", address);
  const folder = bucket.prefix.slice(0, -1);
  return {
    backupDir: `s3://${bucket.bucket}${folder && `/${folder}`}`,
    backupBucket: bucket,
  };
}

/** Refuses an http address for https pages: browsers load no http image into them. */
function imageBaseOf({ IMAGE_BASE_URL: base }: Variables, publicUrl: string): string | null {
  if (!base?.startsWith("http:") || publicUrl.startsWith("http:")) return base ?? null;
  throw new Error(`IMAGE_BASE_URL is "${base}", but must be https as PUBLIC_URL is.`);
}

function refuseLoneAddresses(values: Variables): void {
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_READ_URL"] as const) {
    if (values[name] && !values.DATABASE_URL)
      throw new Error(`${name} is set, but DATABASE_URL is not.`);
  }
}

function refuseOpenLimits(values: Variables): void {
  if (values.RATE_LIMITS === "on" || values.NODE_ENV === "test" || isLoopback(values.HOST)) return;
  throw new Error(
    `RATE_LIMITS is off, but that is allowed only while HOST is a loopback address, not ${values.HOST}.`,
  );
}

/** A browser may reach a server without PUBLIC_URL by any of these names. */
function localOrigins(port: number): string[] {
  // URL.origin leaves out port 80, as browsers do.
  const names = ["localhost", "127.0.0.1", "[::1]"];
  return names.map((name) => new URL(`http://${name}:${port}`).origin);
}

/** A value as an error sentence may show it: addresses may contain passwords. */
function shown(name: string, value: string | undefined): string {
  if (/^DATABASE_|^SMTP_URL$|^IMGBB_KEY$/.test(name)) return "set to something else";
  const text = (value ?? "").replace(/\/\/[^@/]*@/, "//…@");
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
