import type { ReactNode } from "react";
import { limits } from "#shared/limits.ts";
import { AlbumAudienceChoices } from "#app/features/albums/album-audience.tsx";
import type { Problem } from "#app/lib/forms/problem.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { Choices } from "#app/ui/choices.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TitledForm } from "#app/ui/titled-form.tsx";

export const albumFields = ["title", "description", "audience", "order"] as const;
type Words = { [Name in (typeof albumFields)[number]]?: string | undefined };

type Props = {
  /** as it is; nothing for a new one */
  album: Words;
  isPrivate: boolean;
  /** the answer to a submit that was refused */
  returned: { typed: Words | null; problem: Problem } | undefined;
  pathname: string;
  back: string;
  save: string;
  children?: ReactNode;
};

/** A new album, or the words, readers and order of one. */
export function AlbumForm({ album, isPrivate, returned, pathname, back, save, children }: Props) {
  const shown = { ...album, ...returned?.typed };
  const problem = returned?.problem;
  const narrow = useNarrowOffered();
  return (
    <TitledForm {...{ title: album.title, returned, pathname, back, save }}>
      {children}
      <TextArea
        name="description"
        label="A few words"
        optional
        limit={limits.albums.description.graphemes}
        defaultValue={shown.description ?? ""}
        error={problem?.fields?.["description"]}
      />
      {narrow ? (
        <AlbumAudienceChoices chosen={shown.audience ?? "members"} isPrivate={isPrivate} />
      ) : (
        <input type="hidden" name="audience" value="everyone" />
      )}
      <Choices
        name="order"
        legend="Order"
        defaultValue={shown.order ?? "manual"}
        choices={[
          ["manual", "By hand", "As you and the contributors arrange them."],
          ["date", "By date", "The oldest first, with a heading for each day."],
        ]}
      />
    </TitledForm>
  );
}
