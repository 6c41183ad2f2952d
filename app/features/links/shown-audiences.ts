import * as words from "#messages/links.json";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { AlbumForGuests, AudienceCounts } from "#shared/shared-links.ts";
import { counted } from "#app/lib/text/messages.tsx";
import type { Choice } from "#app/ui/choices.tsx";

type Narrow = Exclude<ShownAudience, "everyone">;

const wordsAlone: Record<Narrow, string> = {
  followers: words.wordsFollowers,
  "close-friends": words.wordsCloseFriends,
  "only-me": words.wordsOnlyMe,
  album: words.wordsOfAlbum,
};

const photosShown: Record<Narrow, Record<string, string>> = {
  followers: words.photosFollowers,
  "close-friends": words.photosCloseFriends,
  "only-me": words.photosOnlyMe,
  album: words.photosOfAlbum,
};

/** A post that not everybody sees, as the question before a link to it names it. */
export const postQuestion = (audience: Narrow, photos: number): string =>
  photos > 0 ? counted(photosShown[audience], photos) : wordsAlone[audience];

const albumEmpty = {
  members: words.emptyForMembers,
  followers: words.emptyForFollowers,
  everyone: words.emptyForEveryone,
};

const albumShown = {
  members: words.yoursForMembers,
  followers: words.yoursForFollowers,
  everyone: words.yoursForEveryone,
};

/** The same of an album, about what its maker uploaded into it. */
export function albumQuestion({ audience, isPrivate, own }: AlbumForGuests): string {
  const shownFor = effectiveAudience(audience, isPrivate);
  const photos = own.find((each) => each.audience === "album")?.posts ?? 0;
  return photos === 0 ? albumEmpty[shownFor] : counted(albumShown[shownFor], photos);
}

/** What becomes of the photos of others in an album. */
export function othersLine({ shown, hidden }: AlbumForGuests["others"]): string {
  const there = shown > 0 ? [counted(words.alsoOthers, shown)] : [];
  const not = hidden > 0 ? [counted(words.othersStayHidden, hidden)] : [];
  return [...there, ...not].join(" ");
}

/** One's own posts in an album that keep an audience of their own, where a link has to be told of them. */
export function postsPutIn({ own, isPrivate }: AlbumForGuests): AudienceCounts {
  const put = own.flatMap(({ audience, posts }) =>
    audience === "album" || audience === "only-me" ? [] : { audience, posts },
  );
  const narrow = put.some(({ audience }) => effectiveAudience(audience, isPrivate) !== "everyone");
  return narrow ? put : [];
}

type Shown = { counts: AudienceCounts; isPrivate: boolean };

const widest = { everyone: words.postsForEveryone, followers: words.postsForFollowers };

const narrower = {
  followers: [words.alsoPostsFollowers, words.showsPostsFollowers],
  "close-friends": [words.alsoPostsCloseFriends, words.showsPostsCloseFriends],
} as const;

/**
 * What a link to a profile can show, the least first: each choice names the posts that it adds. What is for nobody but
 * its author is shown by a link to that post alone.
 */
export function profileChoices({ counts, isPrivate }: Shown): Choice<Audience>[] {
  const postsFor = (audience: Audience): number =>
    counts
      .filter((each) => effectiveAudience(each.audience, isPrivate) === audience)
      .reduce((sum, each) => sum + each.posts, 0);
  const first = isPrivate ? "followers" : "everyone";
  const further = isPrivate
    ? (["close-friends"] as const)
    : (["followers", "close-friends"] as const);
  return [
    [first, widest[first], counted(words.postsNow, postsFor(first))],
    ...further.map((audience): Choice<Audience> => {
      const [label, hint] = narrower[audience];
      return [audience, label, counted(hint, postsFor(audience))];
    }),
  ];
}
