import { browserStorage } from "#app/lib/storage.ts";

/** Every shortcut, in the order of the help sheet. */
export const shortcuts: { keys: string[]; does: string }[] = [
  { keys: ["j"], does: "Next post" },
  { keys: ["k"], does: "Previous post" },
  { keys: ["o"], does: "Open the post" },
  { keys: ["l"], does: "Like the post" },
  { keys: ["s"], does: "Save the post" },
  { keys: ["c"], does: "Comment on the post" },
  { keys: ["n"], does: "Write a new post" },
  { keys: ["/"], does: "Search" },
  { keys: ["g", "h"], does: "Go home" },
  { keys: ["g", "p"], does: "Go to your profile" },
  { keys: ["g", "s"], does: "Go to saved posts" },
  { keys: ["g", "n"], does: "Go to notifications" },
  { keys: ["g", "c"], does: "Go to chats" },
  { keys: ["g", "e"], does: "Go to settings" },
  { keys: ["?"], does: "Show shortcuts" },
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
