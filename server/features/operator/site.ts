import type { OperatorSettings, SignUpMode } from "#server/features/operator/operator-settings.ts";

/** What the operator calls this installation, and who may join: every page shows it. */
export type Site = { name: string; line: string; signUp: SignUpMode };

/** How long pages show cached settings, milliseconds. */
const freshMs = 2000;

/**
 * The site as pages show it. Read at most every two seconds, however many pages are requested; where the
 * database does not respond, the last known one, because an error page has a title as well.
 */
export function createSite({ settings }: { settings: Pick<OperatorSettings, "getAll"> }) {
  let known: Site = { name: "Postcard", line: "", signUp: "open" };
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const set = await settings.getAll(["site-name", "site-line", "sign-up"]);
    known = { name: set["site-name"], line: set["site-line"], signUp: set["sign-up"] };
    readAt = performance.now();
  }

  return async function site(): Promise<Site> {
    if (performance.now() - readAt < freshMs) return known;
    reading ??= read()
      .catch(() => {})
      .finally(() => {
        reading = undefined;
      });
    await reading;
    return known;
  };
}
