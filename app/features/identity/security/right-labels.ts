import type { AppRight } from "#shared/app-scopes.ts";
import * as words from "#messages/security.json";

/** What an app may do, as a member reads it. */
export const rightLabels: Record<AppRight, string> = {
  seeEverything: words.seeEverything,
  seeProfiles: words.seeProfiles,
  seePosts: words.seePosts,
  seeNotifications: words.seeNotifications,
  seeSaved: words.seeSaved,
  seeFollows: words.seeFollows,
  searchAsYou: words.searchAsYou,
  actAsYou: words.actAsYou,
  postAsYou: words.postAsYou,
  uploadAsYou: words.uploadAsYou,
  likeAsYou: words.likeAsYou,
  followAsYou: words.followAsYou,
  changeProfile: words.changeProfile,
  clearNotifications: words.clearNotifications,
  reportAsYou: words.reportAsYou,
  changeFilters: words.changeFilters,
  sendNotifications: words.sendNotifications,
};
