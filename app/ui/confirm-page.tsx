import type { ReactNode } from "react";
import { Form } from "react-router";
import * as common from "#messages/common.json";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

type Props = {
  question: ReactNode;
  /** what else will be deleted */
  children: ReactNode;
  /** the target of Cancel */
  back: string;
};

/** The page of a Delete without scripts: the question, with a form whose button deletes. */
export function ConfirmPage({ question, children, back }: Props) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>{documentTitle(common.delete)}</title>
      <h1 className="text-xl font-semibold wrap-anywhere">{question}</h1>
      <p className="text-muted">{children}</p>
      <Form method="post" className="flex gap-3">
        <Button type="submit" look="delete">
          {common.delete}
        </Button>
        <ButtonLink to={back}>{common.cancel}</ButtonLink>
      </Form>
    </div>
  );
}
