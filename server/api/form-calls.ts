import { albumMemberCalls } from "#server/api/album-members.ts";
import { albumCalls } from "#server/api/albums.ts";
import { altSuggestionCalls } from "#server/api/alt-suggestions.ts";
import { blockCalls } from "#server/api/blocks.ts";
import { chatCalls } from "#server/api/chats.ts";
import { collectionCalls } from "#server/api/collections.ts";
import { commentCalls } from "#server/api/comments.ts";
import { deviceImportCalls } from "#server/api/device-imports.ts";
import { followCalls } from "#server/api/follows.ts";
import { mutedWordCalls } from "#server/api/muted-words.ts";
import { noteCalls } from "#server/api/notes.ts";
import { notificationCalls } from "#server/api/notifications.ts";
import { privacyCalls } from "#server/api/privacy.ts";
import { settingsCalls } from "#server/api/settings.ts";
import { signInCalls } from "#server/api/sign-in.ts";
import { postCalls } from "#server/api/posts.ts";
import { reportCalls } from "#server/api/reports.ts";
import { sessionCalls } from "#server/api/session.ts";
import { sharedLinkCalls } from "#server/api/shared-links.ts";
import { suggestionCalls } from "#server/api/suggestions.ts";

/** The calls that forms of our pages make, too (app/lib/forms/form-action.server.ts). */
export const formCalls = {
  chats: chatCalls,
  posts: postCalls,
  albums: albumCalls,
  albumMembers: albumMemberCalls,
  altSuggestions: altSuggestionCalls,
  collections: collectionCalls,
  comments: commentCalls,
  follows: followCalls,
  suggestions: suggestionCalls,
  blocks: blockCalls,
  mutedWords: mutedWordCalls,
  notes: noteCalls,
  reports: reportCalls,
  sharedLinks: sharedLinkCalls,
  notifications: notificationCalls,
  session: sessionCalls,
  // Calls that are not for programs.
  settings: settingsCalls,
  privacy: privacyCalls,
  signIn: signInCalls,
  deviceImports: deviceImportCalls,
};

export type FormCalls = typeof formCalls;
