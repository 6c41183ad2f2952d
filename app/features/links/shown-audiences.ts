import { audiences, type Audience, type ShownAudience } from "#shared/posts.ts";
import type { AudienceCounts } from "#shared/shared-links.ts";
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
