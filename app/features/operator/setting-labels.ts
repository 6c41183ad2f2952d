/** What an operator can set on the pages, in the order of the form. */
export const settingLabels = {
  "site-name": "Name",
  "site-line": "Description",
  rules: "House rules",
  "sign-up": "Who can sign up",
  "new-accounts": "New accounts start as",
  explore: "Who can see recent photos of all members",
  "storage-per-member": "Storage for each member",
} as const;

export type SettingName = keyof typeof settingLabels;

/** The values of those that are a choice. */
export const settingChoices = {
  "sign-up": [
    ["open", "Anyone"],
    ["invitation", "People with an invitation"],
    ["closed", "No one"],
  ],
  "new-accounts": [
    ["public", "Public"],
    ["private", "Private"],
  ],
  explore: [
    ["everyone", "Anyone, visitors too"],
    ["members", "Members"],
    ["nobody", "No one"],
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
  return chosen ? `${label}: ${chosen}` : label;
}
