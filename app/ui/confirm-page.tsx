import type { ReactNode } from "react";
import { Form } from "react-router";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

type Props = {
  question: ReactNode;
  /** what goes with it */
  children: ReactNode;
  /** where Cancel leads */
  back: string;
};

/** Where a Delete leads without scripts: the question as a page, whose Delete is a form. */
export function ConfirmPage({ question, children, back }: Props) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>{documentTitle("Delete")}</title>
      <h1 className="text-xl font-semibold wrap-anywhere">{question}</h1>
      <p className="text-muted">{children}</p>
      <Form method="post" className="flex gap-3">
        <Button type="submit" look="delete">
          Delete
        </Button>
        <ButtonLink to={back}>Cancel</ButtonLink>
      </Form>
    </div>
  );
}
