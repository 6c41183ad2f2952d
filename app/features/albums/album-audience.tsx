import type { AlbumAudience } from "#shared/albums.ts";
import type { AlbumTile } from "#shared/views.ts";
import { LockKeyIcon, UsersIcon } from "#app/ui/icons.ts";
import { ChoiceCards, type Choice } from "#app/ui/choices.tsx";

const choices: readonly Choice<AlbumAudience>[] = [
  ["members", "Members", "The people you invite."],
  ["followers", "Followers", "Your followers, and the members."],
  ["everyone", "Everyone", "Anyone, also without an account."],
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
      legend="Who can see it"
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
      {members ? "For members" : "For followers"}
    </span>
  );
}
