import { useState, type SubmitEvent } from "react";
import { useRevalidator } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import type {
  SecurityAnswer,
  SecurityChange,
} from "#app/features/identity/security/change-security.server.ts";
import type { DialogFeedback } from "#app/features/settings/change-dialog.tsx";
import type { TotpSetup } from "#app/features/identity/security/totp-setup.server.ts";
import { useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { callErrorOf, isSignedOut, postForm, errorMessage } from "#app/lib/api-client.ts";

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

type Options = {
  /** what the form, or each of its buttons, changes */
  changes: readonly SecurityChange[];
  returned: Returned | undefined;
  check?: (form: FormData) => FieldErrors;
  onSaved?: (answer: SecurityAnswer) => void;
  feedback: DialogFeedback;
  /** the dialog stays open once it is saved */
  stays?: boolean;
};

const noProblem = () => ({});

/** Saves a form of the security screen in place; what is typed survives a refusal. */
export function useSecurityForm(options: Options) {
  const { changes, returned, check = noProblem, onSaved, feedback, stays = false } = options;
  const { revalidate } = useRevalidator();
  const [saving, setSaving] = useState<string | null>(null);
  const mine = changes.some((change) => change === returned?.change) ? returned : undefined;
  const [refused, setRefused] = useState(mine?.fields);
  const { errors, onSubmit, onChange } = useFieldErrors(refused, check);

  async function save(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
    const fields = Object.fromEntries(
      new FormData(form, submitter) as unknown as Iterable<[string, string]>,
    );
    setSaving(fields["change"] ?? "");
    setRefused(undefined);
    try {
      const answer = await postForm<SecurityAnswer>("/calls/security", fields);
      form.reset();
      onSaved?.(answer);
      await revalidate();
      (stays ? feedback.stay : feedback.leave)(answer.message);
    } catch (error) {
      const { fields } = callErrorOf(error);
      if (fields) setRefused(fields);
      else feedback.stay(errorMessage(error));
      // Signed out meanwhile: the prompt to sign in replaces the screen.
      if (isSignedOut(error)) await revalidate();
    } finally {
      setSaving(null);
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (saving === null) void save(event.currentTarget, event.nativeEvent.submitter);
  }

  const form = {
    method: "post",
    action: "/settings/security",
    noValidate: true,
    onSubmit: submit,
    onChange,
  } as const;
  return {
    form,
    errors,
    /** the change that is being saved */
    saving,
  };
}
