import type { Logger } from "pino";
import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/db/database.ts";
import type { Features } from "#server/features/index.ts";

/** How often expired sessions, abandoned uploads and old letters are looked for, in milliseconds. */
const everyMs = 15 * 60_000;
/** The first look waits until the start is over. */
const firstMs = 60_000;

/** The features that leave something behind. */
const swept = [
  "identity",
  "apps",
  "invitations",
  "images",
  "resumableUploads",
  "visitorUploads",
  "homeLists",
  "search",
  "tags",
  "providers",
  "idempotency",
  "chat",
  "exports",
  "imports",
  "deletion",
  "moderation",
  "notifications",
  "digest",
] as const satisfies (keyof Features)[];

type Deps = {
  features: Pick<Features, (typeof swept)[number]>;
  db: Pick<Database, "patiently">;
  mail: Pick<Mail, "sweep">;
  log: Pick<Logger, "error">;
};

/** Removes from time to time what nobody needs any more, and writes the letters of the day; returns how to stop it. */
export function startSweeps({ db, features, mail, log }: Deps): () => void {
  const sweep = async () => {
    for (const { sweep: work } of [...swept.map((name) => features[name]), mail]) {
      await db
        .patiently(async () => work())
        .catch((error: unknown) => log.error({ err: error }, "a sweep failed"));
    }
  };
  const first = setTimeout(sweep, firstMs).unref();
  const later = setInterval(sweep, everyMs).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
  };
}
