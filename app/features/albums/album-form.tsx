import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { limits } from "#shared/limits.ts";
import { AlbumAudienceChoices } from "#app/features/albums/album-audience.tsx";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { ProblemLine, type Problem } from "#app/lib/forms/problem.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Choices } from "#app/ui/choices.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";

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
  const pending = useNavigation().formAction?.startsWith(pathname) ?? false;
  return (
    <Form method="post" noValidate className="grid gap-6 px-4 pb-8 md:card md:p-6">
      {children}
      <TextField
        name="title"
        label="Title"
        required
        autoComplete="off"
        defaultValue={shown.title ?? ""}
        error={problem?.fields && problemAt("title", { message: "", fields: problem.fields })}
        className="w-full"
      />
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
      <div role="alert" className="empty:hidden">
        {problem && !problem.fields && (
          <ProblemLine
            problem={{ ...problem, message: `${problem.message} What you wrote is still here.` }}
            pathname={pathname}
          />
        )}
      </div>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <ButtonLink to={back} look="quiet">
          Cancel
        </ButtonLink>
        <Button type="submit" look="primary" pending={pending}>
          {save}
        </Button>
      </div>
    </Form>
  );
}
