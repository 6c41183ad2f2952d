import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { reportLimits } from "#shared/report-limits.ts";
import type { CaseView } from "#shared/reports.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { SuspensionLength } from "#app/features/moderation/suspension-length.tsx";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckField } from "#app/ui/check-field.tsx";
import { ChoiceCards, type Choice } from "#app/ui/choices.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

const field = fieldsOf<FormCalls["reports"]["decide"]>();

function choicesOf({ state, subject }: CaseView): Choice[] {
  if (state === "answered") {
    return [
      ["keep", "Uphold the decision", "Nothing changes."],
      ["lift", "Reverse the decision", "A suspension ends. Removed posts can't be restored."],
    ];
  }
  const remove: Choice[] =
    subject === "account"
      ? []
      : [
          [
            "take-down",
            `Remove the ${subject}`,
            subject === "album"
              ? "Its photos stay, each for only the person who posted it. This can't be undone."
              : "Deleted for everyone. This can't be undone.",
          ],
        ];
  if (subject === "album") {
    remove.unshift(["clear-words", "Remove its words", "Its title and description go. It stays."]);
  }
  return [
    ["dismiss", "Dismiss", "Nothing happens. The people who reported it can read why."],
    ["warn", "Warn", "They get your reason, and nothing else happens."],
    ...remove,
    [
      "suspend",
      "Suspend the account",
      "No one can see them or their posts, and they are signed out everywhere.",
    ],
  ];
}

type Props = {
  found: CaseView;
  returned: Refused<"act" | "reason" | "days" | "takeDown"> | undefined;
};

/** What to do about a case, and why. */
export function VerdictForm({ found, returned }: Props) {
  const pending = useNavigation().formData !== undefined;
  const { typed, problem } = returned ?? {};
  const wrong = problem?.fields;
  const [act, setAct] = useState(typed?.act ?? "");
  const suspends = useHydrated() ? act === "suspend" : found.state === "reported";
  return (
    <Form method="post" className="grid gap-4">
      {problem && !wrong ? <FormAlert text={problem.message} /> : null}
      <ChoiceCards
        name={field("act")}
        legend={found.state === "answered" ? "Decide on the appeal" : "Decide"}
        choices={choicesOf(found)}
        chosen={act}
        onChange={setAct}
        required
        error={wrong?.["act"]}
      />
      {suspends && (
        <div>
          <SuspensionLength
            name={field("days")}
            legend="Suspend for how long?"
            defaultValue={typed?.days}
          />
          {found.subject !== "account" && (
            <CheckField
              name={field("takeDown")}
              label={`Also remove the ${found.subject}`}
              defaultChecked={typed?.takeDown === "on"}
            />
          )}
        </div>
      )}
      <TextArea
        name={field("reason")}
        label="Your reason"
        hint={
          act === "dismiss"
            ? "The people who reported it can read it. Your name isn't shown."
            : `${found.account.name} can read it and answer once. Your name isn't shown.`
        }
        required
        limit={reportLimits.words}
        defaultValue={typed?.reason}
        error={wrong?.["reason"]}
      />
      <Button type="submit" look="primary" pending={pending} className="justify-self-start">
        Decide
      </Button>
    </Form>
  );
}
