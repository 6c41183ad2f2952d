import { useState, type SubmitEvent } from "react";
import { useRevalidator } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import type { SecurityAnswer, SecurityChange } from "#app/features/security/change-security.ts";
import { useFieldErrors } from "#app/lib/form-errors.ts";
import { isSignedOut, postForm, sentenceOf, type CallError } from "#app/lib/post-form.ts";
import { notify } from "#app/lib/toasts.ts";

/** What a submit without scripts brought back: of which form, and how it went. */
export type Returned = {
  change: string;
  /** a sentence about the whole form */
  message: string;
  saved: SecurityAnswer | null;
  fields: FieldErrors | undefined;
};

type Options = {
  change: SecurityChange;
  returned: Returned | undefined;
  check?: (form: FormData) => FieldErrors;
  onSaved?: (answer: SecurityAnswer) => void;
};

const noProblem = () => ({});

/** Saves a form of the security screen in place; what is typed survives a refusal. */
export function useSecurityForm({ change, returned, check = noProblem, onSaved }: Options) {
  const { revalidate } = useRevalidator();
  const [saving, setSaving] = useState(false);
  const mine = returned?.change === change ? returned : undefined;
  const [refused, setRefused] = useState(mine?.fields);
  const { errors, onSubmit, onChange } = useFieldErrors(refused, check);

  async function save(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form) as unknown as Iterable<[string, string]>;
    setSaving(true);
    setRefused(undefined);
    try {
      const answer = await postForm<SecurityAnswer>("/calls/security", Object.fromEntries(fields));
      form.reset();
      await revalidate();
      notify.success(answer.message);
      onSaved?.(answer);
    } catch (error) {
      const { fields } = error as Partial<CallError>;
      if (fields) setRefused(fields);
      else notify.error(sentenceOf(error));
      // Signed out meanwhile: the prompt to sign in takes the screen's place.
      if (isSignedOut(error)) await revalidate();
    } finally {
      setSaving(false);
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (!saving) void save(event.currentTarget);
  }

  const form = {
    method: "post",
    action: "/settings/security",
    noValidate: true,
    onSubmit: submit,
    onChange,
  } as const;
  return { form, errors, saving };
}
