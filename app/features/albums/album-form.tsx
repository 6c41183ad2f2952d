import type { ReactNode } from "react";
import * as words from "#messages/albums.json";
import { limits } from "#shared/limits.ts";
import { AlbumAudienceChoices } from "#app/features/albums/album-audience.tsx";
import type { Problem } from "#app/lib/forms/problem.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { Choices } from "#app/ui/choices.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TitledForm } from "#app/ui/titled-form.tsx";

export const albumFields = ["title", "description", "audience", "order"] as const;
type Fields = { [Name in (typeof albumFields)[number]]?: string | undefined };

type Props = {
  /** as it is; nothing for a new one */
  album: Fields;
  isPrivate: boolean;
  /** the answer to a submit that was refused */
  returned: { typed: Fields | null; problem: Problem } | undefined;
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
        label={words.aFewWords}
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
        legend={words.order}
        defaultValue={shown.order ?? "manual"}
        choices={[
          ["manual", words.byHand, words.byHandHint],
          ["date", words.byDate, words.byDateHint],
        ]}
      />
    </TitledForm>
  );
}
