import * as words from "#messages/albums.json";
import type { AlbumAudience } from "#shared/albums.ts";
import type { AlbumTile } from "#shared/views.ts";
import { LockKeyIcon, UsersIcon } from "#app/ui/icons.ts";
import { ChoiceCards, type Choice } from "#app/ui/choices.tsx";

const choices: readonly Choice<AlbumAudience>[] = [
  ["members", words.members, words.membersHint],
  ["followers", words.followers, words.followersHint],
  ["everyone", words.everyone, words.everyoneHint],
];

/** In a private account, `everyone` is its followers. */
export function AlbumAudienceChoices({
  chosen,
  isPrivate,
}: {
  chosen: string;
  isPrivate: boolean;
}) {
  const offered = choices.filter(([value]) => !isPrivate || value !== "everyone");
  return (
    <ChoiceCards
      name="audience"
      legend={words.whoCanSeeIt}
      choices={offered}
      chosen={isPrivate && chosen === "everyone" ? "followers" : chosen}
    />
  );
}

/** For whom an album is, where that is not everyone. */
export function AlbumAudienceMark({
  of: { audience, private: isPrivate },
}: {
  of: Pick<AlbumTile, "audience" | "private">;
}) {
  if (audience === "everyone" && !isPrivate) return null;
  const members = audience === "members";
  const MarkIcon = members ? LockKeyIcon : UsersIcon;
  return (
    <span className="inline-flex items-center gap-1.5">
      <MarkIcon weight="fill" className="size-4 shrink-0" aria-hidden />
      {members ? words.forMembers : words.forFollowers}
    </span>
  );
}
