import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { reportLimits } from "#shared/report-limits.ts";
import { subjectNames, type CaseView } from "#shared/reports.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Decide = FormCalls["reports"]["decide"];
type ReturnedVerdict = Refused<"act" | "reason" | "days" | "takeDown">;

const field = fieldsOf<Decide>();

type Choice = { value: string; label: string; hint: string };

const lengths = [
  ["1", "1 day"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["", "Without an end"],
] as const;

function choicesOf({ state, subject }: CaseView): Choice[] {
  if (state === "answered") {
    return [
      { value: "keep", label: "Keep the decision", hint: "It stays as it is." },
      {
        value: "lift",
        label: "Take it back",
        hint: "A suspension ends. What was removed can't be brought back.",
      },
    ];
  }
  const thing = subjectNames[subject];
  return [
    { value: "dismiss", label: "Dismiss", hint: "Nothing happens. Whoever reported it reads why." },
    { value: "warn", label: "Warn", hint: "They read your reason, and nothing else happens." },
    ...(subject === "account"
      ? []
      : [{ value: "take-down", label: `Remove the ${thing}`, hint: "For good, for everybody." }]),
    {
      value: "suspend",
      label: "Suspend the account",
      hint: "Nobody sees it or what it posted, and it is signed out everywhere.",
    },
  ];
}

/** What to do about a case, and why. */
export function VerdictForm({
  found,
  returned,
}: {
  found: CaseView;
  returned: ReturnedVerdict | undefined;
}) {
  const pending = useNavigation().formData !== undefined;
  const { typed, problem } = returned ?? {};
  const wrong = problem?.fields;
  const [act, setAct] = useState(typed?.act ?? "");
  const suspends = useHydrated() ? act === "suspend" : found.state === "reported";
  const thing = subjectNames[found.subject];
  return (
    <Form method="post" className="grid gap-4">
      {problem && !wrong ? <FormAlert text={problem.message} /> : null}
      <fieldset className="grid gap-2" aria-describedby={wrong?.["act"] ? "act-error" : undefined}>
        <legend className="mb-2 font-semibold">
          {found.state === "answered" ? "Decide about the answer" : "Decide"}
        </legend>
        {choicesOf(found).map(({ value, label, hint }) => (
          <div
            key={value}
            className="relative flex gap-3 rounded-box border border-line p-3 text-start has-checked:border-primary"
          >
            <input
              type="radio"
              id={`act-${value}`}
              name={field("act")}
              value={value}
              required
              checked={act === value}
              onChange={() => setAct(value)}
              aria-describedby={`act-${value}-hint`}
              className="relative z-1 mt-0.5 size-5 shrink-0 accent-primary"
            />
            <div>
              <label
                htmlFor={`act-${value}`}
                className="font-medium before:absolute before:inset-0"
              >
                {label}
              </label>
              <p id={`act-${value}-hint`} className="text-sm text-muted">
                {hint}
              </p>
            </div>
          </div>
        ))}
        <FieldError id="act" error={wrong?.["act"]} />
      </fieldset>
      {suspends && (
        <fieldset>
          <legend className="mb-2 text-sm font-medium">Suspend for how long?</legend>
          {lengths.map(([value, label]) => (
            <label key={value} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name={field("days")}
                value={value}
                defaultChecked={value === (typed?.days ?? "7")}
                className="size-5 shrink-0 accent-primary"
              />
              {label}
            </label>
          ))}
          {found.subject !== "account" && (
            <label className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name={field("takeDown")}
                defaultChecked={typed?.takeDown === "on"}
                className="size-5 shrink-0 accent-primary"
              />
              {`Also remove the ${thing}`}
            </label>
          )}
        </fieldset>
      )}
      <TextArea
        name={field("reason")}
        label="Your reason"
        hint={
          act === "dismiss"
            ? "Whoever reported it reads it. Your name isn't shown."
            : `${found.account.name} reads it, and can answer once. Your name isn't shown.`
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
