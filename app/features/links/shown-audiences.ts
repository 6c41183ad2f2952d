import { audiences, type Audience, type ShownAudience } from "#shared/posts.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { AlbumForGuests, AudienceCounts } from "#shared/shared-links.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import type { Choice } from "#app/ui/choices.tsx";

const forWhom: Record<ShownAudience, string> = {
  everyone: "for everyone",
  followers: "for your followers only",
  "close-friends": "for your close friends only",
  "only-me": "for you alone",
  album: "for whoever can see its album",
};

/** A post that not everybody sees, as the question before a link to it names it. */
export const postQuestion = (audience: ShownAudience, photos: number): string =>
  `${photos > 0 ? `This link shows ${formatCount(photos, "photo")}` : "This link shows words"} that ${
    photos === 1 || photos === 0 ? "is" : "are"
  } ${forWhom[audience]}. Whoever has it can see them.`;

const forWhomOfAlbum = {
  members: "for this album's members only",
  followers: "for your followers and this album's members",
  everyone: "for everyone",
};

/** The same of an album, about what its maker uploaded into it. */
export function albumQuestion({ audience, isPrivate, own }: AlbumForGuests): string {
  const shownFor = effectiveAudience(audience, isPrivate);
  const photos = own.find((each) => each.audience === "album")?.posts ?? 0;
  const now =
    photos === 0
      ? "No photo of yours is in it yet: this link shows those you add, which are"
      : `This link shows ${formatCount(photos, "photo")} of yours that ${photos === 1 ? "is" : "are"}`;
  const later = photos === 0 ? "" : ", and later ones";
  return `${now} ${forWhomOfAlbum[shownFor]}${later}. Whoever has it can see them.`;
}

/** What becomes of the photos of others in an album. */
export function othersLine({ shown, hidden }: AlbumForGuests["others"]): string {
  const there = shown > 0 ? [`Also ${formatCount(shown, "photo")} of members who allow it.`] : [];
  const not = `${formatCount(hidden, "photo")} of others ${hidden === 1 ? "stays" : "stay"} hidden: they allow links on the album's page of members.`;
  return [...there, ...(hidden > 0 ? [not] : [])].join(" ");
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

/**
 * What a link to a profile can show, the least first: each choice names the posts that it adds. What is for nobody but
 * its author is shown by a link to that post alone.
 */
export function profileChoices({ counts, isPrivate }: Shown): Choice<Audience>[] {
  const offered: Audience[] = audiences.filter(
    (audience) => audience !== "only-me" && !(isPrivate && audience === "everyone"),
  );
  return offered.map((audience, index): Choice<Audience> => {
    const also = isPrivate && audience === "followers" ? ["everyone", "followers"] : [audience];
    const posts = counts
      .filter((each) => also.includes(each.audience))
      .reduce((sum, each) => sum + each.posts, 0);
    const many = formatCount(posts, "post");
    if (index === 0)
      return [audience, `Posts ${forWhom[audience]}`, `${many} now, and later ones.`];
    const hint = `This link shows ${many} that ${posts === 1 ? "is" : "are"} ${forWhom[audience]}, and later ones.`;
    return [audience, `Also posts ${forWhom[audience]}`, hint];
  });
}
