import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The screens of `docs/screens`, in this order; the tour visits many states more. */
export const album: Record<string, string> = {
  door: "The front page, for a visitor",
  home: "Home: the posts of those one follows",
  "home-words": "A post of words alone",
  "home-new-posts": "New posts while one reads",
  "home-empty": "Home before one follows anybody",
  post: "A post, for a member",
  "post-warned": "A post behind a content warning",
  "post-comments": "What is said under it",
  "large-picture": "Its picture, large",
  "delete-post": "A question before a delete",
  account: "Somebody else's profile",
  "account-note": "A note about somebody, for oneself",
  profile: "One's own profile",
  "profile-albums": "One's albums",
  album: "An album",
  "album-arrange": "An album, put in order",
  "album-members": "Who is in an album",
  followers: "Who follows",
  saved: "Saved photos",
  "saved-words": "Saved words",
  collection: "A collection",
  "add-to-collection": "A post, added to collections",
  search: "Search",
  "search-results": "People found while one types",
  composer: "A new post",
  "composer-photo": "A new post with its photo",
  "composer-warned": "A new post behind a content warning",
  uploading: "A post on its way",
  notifications: "Notifications",
  chats: "Chats",
  chat: "A conversation",
  "edit-profile": "Edit Profile",
  settings: "Settings",
  "settings-language": "The language one writes in",
  "settings-security": "Security",
  "settings-data": "One's data",
  bring: "Bringing photos from elsewhere",
  "bring-choose": "What of them comes over",
  "sign-in": "Sign In",
  "sign-in-required": "What is missing is said",
  "sign-up": "Sign Up",
  "guard-prompt": "A page for members, visited by somebody else",
  "visitor-post": "A post, for a visitor",
  "link-made": "A link for somebody without an account",
  "settings-links": "One's links",
  "connect-app": "What an app asks for",
  guest: "What a guest sees by a link",
  "not-found": "An address that nobody knows",
  away: "Without a network",
  "slow-line": "More posts on a slow line",
  "help-sheet": "The keyboard's keys",
  "door-empty": "The front page of a place where nobody is yet",
  "first-day": "Home of its first member",
  "operator-standing": "The operator's page",
  "operator-invitations": "Invitations",
  moderation: "What waits for moderators",
  "moderation-case": "A report, and a verdict",
  "door-de": "The front page in German",
  "home-de": "Home in German",
  "post-de": "A post in German",
  "settings-de": "Settings in German",
  "door-ar": "The front page in Arabic",
  "home-ar": "Home in Arabic",
  "post-ar": "A post in Arabic",
  "settings-ar": "Settings in Arabic",
  "large-letters-home": "Home with letters twice as large",
  "large-letters-post": "A post with letters twice as large",
  "large-letters-composer": "A new post with letters twice as large",
  "sideways-home": "Home on a phone held sideways",
  "sideways-post": "A post on a phone held sideways",
};

/** What stands above it is written by hand. */
const begin = "<!-- Written by `npm run screens` -->";

/** Writes the page that shows them side by side: what is in the folder, narrow windows first. */
export function writeAlbum(folder: string): void {
  const readme = join(folder, "README.md");
  const files = readdirSync(folder);
  const sections = Object.entries(album).flatMap(([name, caption]) => {
    const own = files.flatMap((file) => {
      const [, of, width, theme] = /^(.+)-(\d+)-(\w+)\.webp$/.exec(file) ?? [];
      return of === name ? [{ file, width: Number(width), theme }] : [];
    });
    const screenshots = own
      .toSorted((one, other) => one.width - other.width)
      .map(
        ({ file, width, theme }) =>
          `<img src="${file}" alt="${caption}, ${width} px, ${theme}" height="300">`,
      );
    return own.length > 0 ? [`## ${caption}\n\n${screenshots.join(" ")}\n`] : [];
  });
  const [above] = readFileSync(readme, "utf8").split(begin);
  writeFileSync(readme, `${above}${begin}\n\n${sections.join("\n")}`);
}
