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
import type { Features } from "#server/features/index.ts";

/** The calls that forms of our pages make, too (app/lib/forms/form-action.server.ts). */
export function createFormCalls(deps: { features: Features; imagesUrl: string }) {
  return {
    chats: chatCalls(deps),
    posts: postCalls(deps),
    albums: albumCalls(deps),
    albumMembers: albumMemberCalls(deps),
    altSuggestions: altSuggestionCalls(deps),
    collections: collectionCalls(deps),
    comments: commentCalls(deps),
    follows: followCalls(deps),
    suggestions: suggestionCalls(deps),
    blocks: blockCalls(deps),
    mutedWords: mutedWordCalls(deps),
    notes: noteCalls(deps),
    reports: reportCalls(deps),
    sharedLinks: sharedLinkCalls(deps),
    notifications: notificationCalls(deps),
    session: sessionCalls(deps),
    // Calls that are not for programs.
    settings: settingsCalls(deps),
    privacy: privacyCalls(deps),
    signIn: signInCalls(deps),
    deviceImports: deviceImportCalls(deps),
  };
}

export type FormCalls = ReturnType<typeof createFormCalls>;
