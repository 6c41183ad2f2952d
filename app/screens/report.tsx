import { Form, useNavigation } from "react-router";
import { reportSubjects } from "#shared/report-kinds.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/reports.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { ReportFields } from "#app/features/reports/report-fields.tsx";
import { reportThis } from "#app/features/reports/report-words.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage, orNotFound } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath } from "#app/lib/return-path.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/report";

const names = [
  "kind",
  "accountId",
  "username",
  "author",
  "number",
  "commentId",
  "conversationId",
  "seq",
  "albumId",
];

/**
 * The page of a Report without scripts. It shows nothing of the reported content, which the viewer may not
 * be allowed to see: a block is no way out of a report.
 */
export function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  memberPage(context);
  const kind = orNotFound(reportSubjects.find((subject) => subject === query.get("kind")));
  const named = names.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { kind, named, back: safeReturnPath(query.get(returnParameter)) };
}

export const action = formAction({
  [unnamed]: form(({ reports }) => reports.report, {
    send: ({ fields }) => ({ body: { ...fields, about: fields } }),
    restores: ["reason", "words"],
    shows: () => ({ sent: true as const }),
  }),
});

export default function Report({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, named, back } = loaderData;
  const pending = useNavigation().formData !== undefined;
  const refused = actionData && "problem" in actionData ? actionData : undefined;
  if (actionData && !refused) {
    return (
      <>
        <title>{documentTitle(common.report)}</title>
        <EmptyState
          heading
          title={words.thankYou}
          action={<ButtonLink to={back}>{common.back}</ButtonLink>}
        >
          <p>{words.decisionPlace}</p>
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <ScreenTitle title={common.report}>{reportThis[kind]}</ScreenTitle>
      <Form method="post" className="grid gap-4 px-4 pb-8 md:px-0">
        {refused && !refused.problem.fields ? <FormAlert text={refused.problem.message} /> : null}
        {named.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ReportFields typed={refused?.typed} errors={refused?.problem.fields} />
        <div className="flex gap-3">
          <Submit pending={pending}>{common.report}</Submit>
          <ButtonLink to={back}>{common.cancel}</ButtonLink>
        </div>
      </Form>
    </>
  );
}
