import type { CaseRow } from "#shared/reports.ts";

type Reported = Pick<CaseRow, "subject" | "said" | "account">;

/**
 * What was reported, without the lines that say what stands above it: the copy of an account begins with its
 * name and username, which are news only if they were others then.
 */
export function besidesName({ subject, said, account }: Reported): string {
  if (subject !== "account") return said;
  const known = new Set([account.name, `@${account.username}`]);
  return said
    .split("\n")
    .filter((line, at) => at > 1 || !known.has(line))
    .join("\n");
}
