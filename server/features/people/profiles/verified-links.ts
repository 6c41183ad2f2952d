import { createPageReader, type PageReader } from "#server/adapters/page-reader/page-reader.ts";
import { linksIn } from "#server/adapters/page-reader/links.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import * as queries from "#server/features/people/profiles/profiles.queries.ts";
import { isRefusal } from "#shared/errors.ts";

type Deps = {
  db: Database;
  jobs: Jobs;
  config: { publicUrl: string };
  limits: Pick<ReturnType<typeof createAttemptLimits>, "count">;
  pageReader?: PageReader;
};

/** What a job says: published, other versions may read it. */
type Check = { accountId: string };

const job = "verify-links";
const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Which addresses of a profile lead back to it: their page links to the profile with rel="me", so whoever
 * writes that page says that it is theirs (microformats.org/wiki/rel-me).
 */
export function createVerifiedLinks(deps: Deps) {
  const { jobs, pageReader: pages = createPageReader(deps.config) } = deps;
  const options = { concurrency: 2, retries: 2 };
  jobs.handle<Check>(
    job,
    async ({ accountId }) => {
      if (!(await check(deps, pages, accountId))) return;
      const after = new Date(Date.now() + weekMs);
      // A key of its own: a save in the meantime is checked at once.
      await jobs.add(job, { accountId }, { key: `${accountId}/weekly`, after });
    },
    options,
  );

  return {
    /** Schedules a check, in the caller's transaction; where nobody can link to this server, none. */
    begin: async (accountId: string): Promise<void> => {
      if (pages.enabled) await jobs.add(job, { accountId }, { key: accountId });
    },
  };
}

/**
 * A page that cannot be read proves nothing: what was known of its address stays. Answers whether any address is
 * marked, and has to be looked at again.
 */
async function check(deps: Deps, pages: PageReader, accountId: string): Promise<boolean> {
  const { db, config } = deps;
  const found = await queries.findLinks(db, accountId);
  if (!found) return false;
  const names = new Set([accountId, ...found.usernames]);
  const leadsBack = (href: string) => names.has(profileIn(href, config.publicUrl) ?? "");
  const addresses = [found.website, ...found.extraFields.map(({ value }) => value)];
  const wanted = [...new Set(addresses)].filter((address) => pages.mayRead(address));
  if (wanted.length > 0 && !(await isAllowed(deps, accountId))) return true;
  const read = await Promise.all(
    wanted.map(async (address) => {
      const html = await pages.read(address);
      return { address, leads: html === null ? null : linksIn(html, "me").some(leadsBack) };
    }),
  );
  const which = (result: boolean | null) =>
    read.filter(({ leads }) => leads === result).map(({ address }) => address);
  return queries.writeVerified(db, accountId, { verified: which(true), kept: which(null) });
}

/** Pages of others are asked for. */
async function isAllowed({ limits }: Deps, accountId: string): Promise<boolean> {
  try {
    await limits.count("link-checks", accountId);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Of an address of ours: the id or the name in it, in lower case. */
function profileIn(href: string, publicUrl: string): string | null {
  if (!URL.canParse(href)) return null;
  const { origin, pathname } = new URL(href);
  if (origin !== new URL(publicUrl).origin) return null;
  const [, name = null] = /^\/(?:search|users)\/([^/]+)\/?$/i.exec(pathname) ?? [];
  return name?.toLowerCase() ?? null;
}
