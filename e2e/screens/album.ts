import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The screens of `docs/screens`, in this order; the tour visits many states more. */
export const album: Record<string, string> = {
  door: "The front page, for a visitor",
  home: "Home: the posts of those one follows",
  "home-words": "A post of words alone",
  "home-new-posts": "New posts while one reads",
  "home-empty": "Home before one follows anybody",
  post: "A post, for a member",
  "post-comments": "What is said under it",
  "large-picture": "Its picture, large",
  "delete-post": "A question before a delete",
  account: "Somebody else's profile",
  profile: "One's own profile",
  followers: "Who follows",
  saved: "Saved photos",
  "saved-words": "Saved words",
  search: "Search",
  "search-results": "People found while one types",
  composer: "A new post",
  "composer-photo": "A new post with its photo",
  uploading: "A post on its way",
  notifications: "Notifications",
  chats: "Chats",
  chat: "A conversation",
  "edit-profile": "Edit Profile",
  settings: "Settings",
  "settings-security": "Security",
  "settings-data": "One's data",
  "sign-in": "Sign In",
  "sign-in-required": "What is missing is said",
  "sign-up": "Sign Up",
  "guard-prompt": "A page for members, visited by somebody else",
  "visitor-post": "A post, for a visitor",
  "not-found": "An address that nobody knows",
  away: "Without a network",
  "help-sheet": "The keyboard's keys",
};

const widths = [390, 1280];
const themes = ["light", "synthwave"];

/** Writes the page that shows them side by side. */
export function writeAlbum(folder: string): void {
  const sections = Object.entries(album).map(([name, caption]) => {
    const screenshots = widths.flatMap((width) =>
      themes.map((theme) => {
        const file = `${name}-${width}-${theme}.webp`;
        return `<img src="${file}" alt="${caption}, ${width} px, ${theme}" height="300">`;
      }),
    );
    return `## ${caption}\n\n${screenshots.join(" ")}\n`;
  });
  const page = [
    "# The screens",
    "",
    "Each at 390 and 1280 pixels, in both themes, with the town of `npm run demo`. Written by",
    "`npm run screens`; `npm run screens -- --states` takes every state there is, for a review.",
    "",
    ...sections,
  ];
  writeFileSync(join(folder, "README.md"), page.join("\n"));
}
