import { useState } from "react";
import { useRevalidator } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import type {
  SecurityAnswer,
  SecurityChange,
} from "#app/features/identity/security/change-security.server.ts";
import type { DialogFeedback } from "#app/features/settings/change-dialog.tsx";
import type { TotpSetup } from "#app/features/identity/security/totp-setup.server.ts";
import { useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { problemOf } from "#app/lib/forms/problem.tsx";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { isSignedOut, postForm } from "#app/lib/api-client.ts";

/** The answer to a submit without scripts: which form it was, and the result. */
export type Returned = {
  change: string;
  /** a sentence about the whole form */
  message: string;
  saved: SecurityAnswer | null;
  fields: FieldErrors | undefined;
  /** the setup in progress when the code was wrong */
  setup: TotpSetup | null;
};

/** What every form of the security screen takes. */
export type FormProps = { returned: Returned | undefined; feedback: DialogFeedback };

type Options = FormProps & {
  /** what the form, or each of its buttons, changes */
  changes: readonly SecurityChange[];
  check?: (form: FormData) => FieldErrors;
  onSaved?: (answer: SecurityAnswer) => void;
  /** the dialog closes once it is saved */
  leaves?: boolean;
};

const noProblem = () => ({});

/** Saves a form of the security screen in place; what is typed survives a refusal. */
export function useSecurityForm(options: Options) {
  const { changes, returned, check = noProblem, onSaved, feedback, leaves = false } = options;
  const { revalidate } = useRevalidator();
  const mine = changes.some((change) => change === returned?.change) ? returned : undefined;
  const [chosen, setChosen] = useState("");
  const { send, sending, problem = mine } = useDialogSending(feedback);
  const { errors, ...listeners } = useFieldErrors(problem?.fields, check, save);

  function save(form: HTMLFormElement, submitter: HTMLElement | null): void {
    const fields = Object.fromEntries(
      new FormData(form, submitter) as unknown as Iterable<[string, string]>,
    );
    void send(async () => {
      setChosen(fields["change"] ?? "");
      const answer = await postForm<SecurityAnswer>("/calls/security", fields);
      form.reset();
      onSaved?.(answer);
      await revalidate();
      (leaves ? feedback.leave : feedback.stay)(answer.message);
    });
  }

  const form = { method: "post", action: "/settings/security", noValidate: true } as const;
  return {
    form: { ...form, ...listeners },
    errors,
    /** the change that is being saved */
    saving: sending ? chosen : null,
  };
}

/** `useSending` of a form in a dialog, which says what is wrong with none of its fields. */
export function useDialogSending({ stay }: DialogFeedback) {
  const { revalidate } = useRevalidator();
  const { send, ...rest } = useSending();
  function explain(error: unknown) {
    const problem = problemOf(error);
    if (!problem.fields) stay(problem.message);
    // Signed out meanwhile: the prompt to sign in replaces the screen.
    if (isSignedOut(error)) void revalidate();
    return problem;
  }
  return { ...rest, send: (work: () => Promise<void>) => send(work, explain) };
}
