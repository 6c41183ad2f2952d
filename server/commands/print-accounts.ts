import { dayOf, printLine, printable } from "#server/platform/admin/print.ts";
import type { AccountDetails, AdministeredAccount } from "#server/features/administration/index.ts";

/** For example "active", "suspended since 2026-11-21" or "to be deleted on 2026-11-28". */
export function stateOf({
  suspendedAt,
  suspendedUntil,
  deletionDueAt,
}: AdministeredAccount): string {
  const states = [
    suspendedAt && `suspended since ${dayOf(suspendedAt)}`,
    suspendedAt && suspendedUntil && `until ${dayOf(suspendedUntil)}`,
    deletionDueAt && `to be deleted on ${dayOf(deletionDueAt)}`,
  ].filter(Boolean);
  return states.join(", ") || "active";
}

export function printList(accounts: readonly AdministeredAccount[]): void {
  const rows = accounts.map((account) => [
    `@${account.username}`,
    printable(account.name),
    printable(account.email),
    `${account.posts} posts`,
    dayOf(account.createdAt),
    [stateOf(account), ...(account.role === "member" ? [] : [account.role])].join(", "),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.min(32, Math.max(0, ...rows.map((row) => [...(row[column] ?? "")].length))),
  );
  for (const row of rows) {
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

export function printDetails(account: AccountDetails): void {
  const rows: [string, string][] = [
    ["Username", `@${account.username}`],
    ["Before", account.formerUsernames.map((name) => `@${name}`).join(", ") || "–"],
    ["Name", printable(account.name) || "–"],
    [
      "Email",
      `${printable(account.email)} (${account.emailVerified ? "verified" : "not verified"})`,
    ],
    ["Id", account.id],
    ["State", stateOf(account)],
    ["Role", account.role],
    ["Since", dayOf(account.createdAt)],
    ["Last seen", account.lastSeenAt ? dayOf(account.lastSeenAt) : "no session"],
    ["Sessions", String(account.sessions)],
    ["Sign-in", account.waysIn.map(printable).join(", ") || "none"],
    ["Two-step", account.secondStep ? "on" : "off"],
    ["Posts", String(account.posts)],
    ["Comments", String(account.comments)],
    ["Followers", String(account.followers)],
    ["Following", String(account.following)],
    ["Pictures", `${(account.pictureBytes / 1_000_000).toFixed(1)} MB`],
  ];
  for (const [label, value] of rows) printLine(`${label.padEnd(10)} ${value}`);
}
