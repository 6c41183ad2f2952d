// People: accounts, visibility, follows, blocks and search.
export {
  findVisibleById,
  hasAccounts,
  insertAccount,
  insertCompanions,
  isEmailReserved,
  isEmailTaken,
  isUsernameTaken,
  setAvatar,
} from "#server/features/people/accounts/accounts.queries.ts";
export { createAccounts } from "#server/features/people/accounts/accounts.ts";
export {
  accountIdAt,
  emailCounts,
  ownAddresses,
} from "#server/features/people/accounts/address.queries.ts";
export {
  allowLookups,
  countingEmailLookups,
  mayLookUp,
} from "#server/features/people/accounts/email-lookups.ts";
export {
  accountsNamedIn,
  usernamesIn,
  type NamedAccount,
} from "#server/features/people/accounts/mentions.queries.ts";
export { retiredDigest } from "#server/features/people/accounts/retired-usernames.queries.ts";
export {
  accountSummary,
  focalPoint,
  imageView,
} from "#server/features/people/accounts/summary.queries.ts";
export { pickUsername, readsWell } from "#server/features/people/accounts/usernames.ts";
export {
  accountSeen,
  albumAtLeastFor,
  albumOpenTo,
  atLeastFor,
  forEveryone,
  inAudience,
  inOwnAudience,
  isFollowing,
  listsOpenTo,
  noBlock,
  visibleAccount,
  visiblePostCounts,
  visibleTo,
  type Asker,
} from "#server/features/people/accounts/visibility.queries.ts";
export { createBlocks } from "#server/features/people/blocks/blocks.ts";
export { muteLasts, noMute, notMuted } from "#server/features/people/blocks/muted.queries.ts";
export {
  bioLine,
  knownFollowers,
  lastFollowed,
} from "#server/features/people/follows/followed-by.queries.ts";
export {
  accountsOf,
  hasRequested,
  type ListedAccount,
} from "#server/features/people/follows/lists.queries.ts";
export { createNotes } from "#server/features/people/notes/notes.ts";
export { createCloseFriends } from "#server/features/people/close-friends/close-friends.ts";
export { lockPair } from "#server/features/people/follows/follows.queries.ts";
export { createFollows, type Follows } from "#server/features/people/follows/follows.ts";
export { createElsewhere } from "#server/features/people/elsewhere/elsewhere.ts";
export { createFollowRequests } from "#server/features/people/follows/requests.ts";
export { mutedWordsOf, type Matching } from "#server/features/people/muted-words/matching.ts";
export { mutedWordsBy } from "#server/features/people/muted-words/muted-words.queries.ts";
export {
  filtersBy,
  type StoredFilter,
} from "#server/features/people/muted-words/word-filters.queries.ts";
export {
  createWordFilters,
  type FilterKeyword,
  type WordFilter,
} from "#server/features/people/muted-words/word-filters.ts";
export { createMutedWords } from "#server/features/people/muted-words/muted-words.ts";
export { filteredPage } from "#server/features/people/muted-words/filtered-page.ts";
export { narrowPostsPossible } from "#server/features/people/privacy/privacy.ts";
export { createPrivacy, type Privacy } from "#server/features/people/privacy/privacy.ts";
export { lockProfile, writeProfile } from "#server/features/people/profiles/profiles.queries.ts";
export { createVerifiedLinks } from "#server/features/people/profiles/verified-links.ts";
export { createProfiles, type Profiles } from "#server/features/people/profiles/profiles.ts";
export { detailsOfRow } from "#server/features/people/relations/relations.queries.ts";
export {
  createRelations,
  type AccountDetails,
  type Relation,
  type Relations,
} from "#server/features/people/relations/relations.ts";
export { createSearch } from "#server/features/people/search/search.ts";
export { createSettings } from "#server/features/people/settings/settings.ts";
