import * as words from "#messages/operator.json";
import { fill } from "#app/lib/text/messages.tsx";

/** What an operator can set on the pages, in the order of the form. */
export const settingLabels = {
  "site-name": words.siteName,
  "site-line": words.siteLine,
  rules: words.rules,
  "sign-up": words.whoCanSignUp,
  "new-accounts": words.newAccounts,
  explore: words.whoSeesRecent,
  "storage-per-member": words.storagePerMember,
} as const;

export type SettingName = keyof typeof settingLabels;

/** The values of those that are a choice. */
export const settingChoices = {
  "sign-up": [
    ["open", words.signUpOpen],
    ["invitation", words.signUpInvited],
    ["closed", words.noOne],
  ],
  "new-accounts": [
    ["public", words.public],
    ["private", words.private],
  ],
  explore: [
    ["everyone", words.visitorsToo],
    ["members", words.members],
    ["nobody", words.noOne],
  ],
} as const;

/** An entry of the log, "sign-up: open", as the form says it. */
export function settingText(detail: string): string {
  const [name = "", ...rest] = detail.split(": ");
  const value = rest.join(": ");
  const label = settingLabels[name as SettingName] ?? name;
  const choices: readonly (readonly [string, string])[] =
    settingChoices[name as keyof typeof settingChoices] ?? [];
  const chosen = choices.find(([each]) => each === value)?.[1] ?? value;
  return chosen ? fill(words.labelAndValue, { label, value: chosen }) : label;
}
