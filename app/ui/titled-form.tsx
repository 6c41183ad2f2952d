import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/ui.json";
import { fill } from "#app/lib/text/messages.tsx";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { ProblemLine, type Problem } from "#app/lib/forms/problem.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = {
  /** as it is; nothing for a new one */
  title?: string;
  /** the answer to a submit that was refused */
  returned: { typed: { title?: string | undefined } | null; problem: Problem } | undefined;
  pathname: string;
  back: string;
  save: string;
  children?: ReactNode;
};

/** A form for something that has a title, and perhaps more: `children` stand below it. */
export function TitledForm({ title, returned, pathname, back, save, children }: Props) {
  const problem = returned?.problem;
  const pending = useNavigation().formAction?.startsWith(pathname) ?? false;
  return (
    <Form method="post" noValidate className="grid gap-6 px-4 pb-8 md:card md:p-6">
      <TextField
        name="title"
        label={words.title}
        required
        autoComplete="off"
        defaultValue={returned?.typed?.title ?? title ?? ""}
        error={problem?.fields && problemAt("title", { message: "", fields: problem.fields })}
        className="w-full"
      />
      {children}
      <div role="alert" className="empty:hidden">
        {problem && !problem.fields && (
          <ProblemLine
            problem={{ ...problem, message: fill(words.stillTyped, { problem: problem.message }) }}
            pathname={pathname}
          />
        )}
      </div>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <ButtonLink to={back} look="quiet">
          {common.cancel}
        </ButtonLink>
        <Submit pending={pending}>{save}</Submit>
      </div>
    </Form>
  );
}
