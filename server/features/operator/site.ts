import type { OperatorSettings, SignUpMode } from "#server/features/operator/operator-settings.ts";

/** What whoever runs this installation calls it, and who may join: every page says so. */
export type Site = { name: string; line: string; signUp: SignUpMode };

/** Pages show what was set this long ago; milliseconds. */
const freshMs = 2000;

/**
 * The place as pages show it. Read at most every two seconds, whatever the number of pages, and as it
 * was known last where the database does not answer: a page about that has a title as well.
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
