import { useState } from "react";
import { Form, useNavigation } from "react-router";
import * as words from "#messages/moderation.json";
import { reportLimits } from "#shared/report-limits.ts";
import type { ReportSubject } from "#shared/report-kinds.ts";
import type { CaseView } from "#shared/reports.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { SuspensionLength } from "#app/features/moderation/suspension-length.tsx";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Submit } from "#app/ui/button.tsx";
import { CheckField } from "#app/ui/check-field.tsx";
import { ChoiceCards, type Choice } from "#app/ui/choices.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

const field = fieldsOf<FormCalls["reports"]["decide"]>();

/** What becomes of what was reported; an account itself is not removed. */
const removals: Record<ReportSubject, readonly Choice[]> = {
  account: [],
  post: [["take-down", words.removePost, words.removeHint]],
  comment: [["take-down", words.removeComment, words.removeHint]],
  message: [["take-down", words.removeMessage, words.removeHint]],
  album: [
    ["clear-words", words.removeWords, words.removeWordsHint],
    ["take-down", words.removeAlbum, words.removeAlbumHint],
  ],
};

const alsoRemove: Record<Exclude<ReportSubject, "account">, string> = {
  post: words.alsoRemovePost,
  comment: words.alsoRemoveComment,
  message: words.alsoRemoveMessage,
  album: words.alsoRemoveAlbum,
};

function choicesOf({ state, subject }: CaseView): Choice[] {
  if (state === "answered") {
    return [
      ["keep", words.uphold, words.upholdHint],
      ["lift", words.reverse, words.reverseHint],
    ];
  }
  return [
    ["dismiss", words.dismiss, words.dismissHint],
    ["warn", words.warn, words.warnHint],
    ...removals[subject],
    ["suspend", words.suspend, words.suspendHint],
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
        legend={found.state === "answered" ? words.decideOnAppeal : words.decide}
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
            legend={words.howLong}
            defaultValue={typed?.days}
          />
          {found.subject !== "account" && (
            <CheckField
              name={field("takeDown")}
              label={alsoRemove[found.subject]}
              defaultChecked={typed?.takeDown === "on"}
            />
          )}
        </div>
      )}
      <TextArea
        name={field("reason")}
        label={words.yourReason}
        hint={
          act === "dismiss"
            ? words.dismissReasonHint
            : fill(words.reasonHint, { name: found.account.name })
        }
        required
        limit={reportLimits.words}
        defaultValue={typed?.reason}
        error={wrong?.["reason"]}
      />
      <Submit pending={pending} className="justify-self-start">
        {words.decide}
      </Submit>
    </Form>
  );
}
