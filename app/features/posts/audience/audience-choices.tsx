import { effectiveAudience } from "#shared/effective-audience.ts";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import * as words from "#messages/posts.json";
import { ChoiceCards, type Choice } from "#app/ui/choices.tsx";

const choices: readonly Choice<Audience>[] = [
  ["everyone", words.everyone, words.everyoneHint],
  ["followers", words.followers, words.followersHint],
  ["close-friends", words.closeFriends, words.closeFriendsHint],
  ["only-me", words.onlyMe, words.onlyMeHint],
];

/** A post that was for everyone before its author's account became private, and is again afterwards. */
const onceForEveryone: Choice<Audience> = [
  "everyone",
  words.onceForEveryone,
  words.onceForEveryoneHint,
];

/** Who can see the posts of a private account, at most. */
export type AudienceProps = {
  /** `album`: none of the choices, until one is made */
  chosen: ShownAudience;
  /** the author's account: its posts are for its followers at most */
  isPrivate: boolean;
};

type Props = AudienceProps & {
  /** the post says so already */
  saved?: ShownAudience;
  onChange?: (audience: Audience) => void;
};

/** Who can see a post, and what each choice means. */
export function AudienceChoices({ isPrivate, saved, ...rest }: Props) {
  const [everyone, ...narrower] = choices;
  const widest = isPrivate ? (saved === "everyone" ? [onceForEveryone] : []) : [everyone!];
  return (
    <ChoiceCards<Audience>
      name="audience"
      legend={words.whoCanSee}
      hideLegend
      choices={[...widest, ...narrower]}
      {...rest}
    />
  );
}

/** In place of the choices, where this installation could not keep a post from others. */
export const NotOffered = () => (
  <p className="text-sm text-pretty text-muted">{words.audienceNotOffered}</p>
);

/** The choice in a word: "Followers" for what is for everyone in a private account. */
export function audienceName({ chosen, isPrivate }: AudienceProps): string {
  const effective = effectiveAudience(chosen, isPrivate);
  // A photo that was uploaded into an album has no choice until one is made.
  if (effective === "album") return words.albumAudience;
  return choices.find(([audience]) => audience === effective)?.[1] ?? "";
}

const notes: Record<ShownAudience, string> = {
  everyone: words.everyoneCanSee,
  followers: words.followersCanSee,
  "close-friends": words.closeFriendsCanSee,
  "only-me": words.onlyYouCanSee,
  album: words.albumCanSee,
};

/** Who can see it, as a sentence. */
export const audienceNote = ({ chosen, isPrivate }: AudienceProps): string =>
  notes[effectiveAudience(chosen, isPrivate)];
