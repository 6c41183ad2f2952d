import { effectiveAudience } from "#shared/effective-audience.ts";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import { ChoiceCards, type Choice } from "#app/ui/choices.tsx";

const choices: readonly Choice<Audience>[] = [
  ["everyone", "Everyone", "Anyone, also without an account."],
  ["followers", "Followers", "People who follow you."],
  ["close-friends", "Close friends", "The people on your list. Only you can see the list."],
  ["only-me", "Only me", "No one else, until you change it."],
];

/** Of a photo that was uploaded into an album: no choice, what it has until one is made. */
const albumName = "Whoever can see the album";

/** A post that was for everyone before its author's account became private, and is again afterwards. */
const onceForEveryone: Choice<Audience> = [
  "everyone",
  "Everyone, once your account is public",
  "Until then, people who follow you.",
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
      legend="Who can see it"
      hideLegend
      choices={[...widest, ...narrower]}
      {...rest}
    />
  );
}

/** In place of the choices, where this installation could not keep a post from others. */
export const NotOffered = () => (
  <p className="text-sm text-pretty text-muted">
    Everyone can see it: this Postcard keeps its photos at a public image host.
  </p>
);

/** The choice in a word: "Followers" for what is for everyone in a private account. */
export function audienceName({ chosen, isPrivate }: AudienceProps): string {
  const effective = effectiveAudience(chosen, isPrivate);
  if (effective === "album") return albumName;
  return choices.find(([audience]) => audience === effective)?.[1] ?? "";
}

const notes: Record<ShownAudience, string> = {
  everyone: "Anyone can see it.",
  followers: "Your followers can see it.",
  "close-friends": "Your close friends can see it.",
  "only-me": "Only you can see it.",
  album: "Whoever can see the album can see it.",
};

/** Who can see it, as a sentence. */
export const audienceNote = ({ chosen, isPrivate }: AudienceProps): string =>
  notes[effectiveAudience(chosen, isPrivate)];
