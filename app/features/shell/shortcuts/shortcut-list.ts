import * as words from "#messages/shell.json";
import { browserStorage } from "#app/lib/storage.ts";

/** Every shortcut, in the order of the help sheet. */
export const shortcuts: { keys: string[]; does: string }[] = [
  { keys: ["j"], does: words.nextPost },
  { keys: ["k"], does: words.previousPost },
  { keys: ["o"], does: words.openPost },
  { keys: ["l"], does: words.likePost },
  { keys: ["s"], does: words.savePost },
  { keys: ["c"], does: words.commentOnPost },
  { keys: ["n"], does: words.writePost },
  { keys: ["/"], does: words.search },
  { keys: ["g", "h"], does: words.goHome },
  { keys: ["g", "p"], does: words.goToProfile },
  { keys: ["g", "s"], does: words.goToSaved },
  { keys: ["g", "n"], does: words.goToNotifications },
  { keys: ["g", "c"], does: words.goToChats },
  { keys: ["g", "e"], does: words.goToSettings },
  { keys: ["?"], does: words.showShortcuts },
];

/** Where the key after g leads. */
export const destinations: Record<string, string> = {
  h: "/",
  p: "/profile",
  s: "/saved",
  n: "/notifications",
  c: "/chat",
  e: "/settings",
};

const storageKey = "shortcuts";

/** Can be turned off for those whose speech or switch software would press keys by accident. */
export function shortcutsAreOn(): boolean {
  return browserStorage.read(storageKey) !== "off";
}

export function setShortcutsOn(on: boolean): void {
  browserStorage.write(storageKey, on ? null : "off");
}
