import { useState, type KeyboardEvent, type SubmitEvent, type SyntheticEvent } from "react";
import type { FieldErrors } from "#shared/errors.ts";
import { required } from "#messages/identity.json";

/** A refusal's error for a field, or its sentence. */
export function problemAt(
  name: string,
  problem: { message: string; fields?: FieldErrors | undefined } | null | undefined,
): string | undefined {
  return problem?.fields?.[name] ?? problem?.message;
}

/** The refusal in the answer of a form's action. */
export function refusalIn<Answer extends object>(answer: Answer | undefined) {
  return answer && "problem" in answer ? (answer as Extract<Answer, Problem>) : undefined;
}
type Problem = { problem: object };

type Check = (form: FormData) => FieldErrors;

/** The named fields that hold nothing. */
export function missing(form: FormData, names: readonly string[]): FieldErrors {
  const empty = names.filter((name) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() === "" : !value || value.size === 0;
  });
  return Object.fromEntries(empty.map((name) => [name, required]));
}

/** Sends a form that is all right, by a script: `submitter` is the pressed button. */
type Send = (form: HTMLFormElement, submitter: HTMLElement | null) => unknown;

/**
 * Errors of a form beside their fields: checked on submit, and again on every change after it. An error
 * from the server stays until its field is changed. Without `send` the browser or the router sends it.
 */
export function useFieldErrors(fromServer: FieldErrors | undefined, check: Check, send?: Send) {
  const [errors, setErrors] = useState<FieldErrors>(fromServer ?? {});
  const [seen, setSeen] = useState(fromServer);
  const [tried, setTried] = useState(fromServer !== undefined);
  if (fromServer !== seen) {
    setSeen(fromServer);
    setErrors(fromServer ?? {});
  }

  return {
    errors,
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      const form = event.currentTarget;
      const found = check(new FormData(form));
      setTried(true);
      setErrors(found);
      const [first] = Object.keys(found);
      if (first || send) event.preventDefault();
      if (!first) return send?.(form, event.nativeEvent.submitter);
      const field = form.elements.namedItem(first);
      if (field instanceof HTMLElement) field.focus();
    },
    onChange: (event: SyntheticEvent<HTMLFormElement>) => {
      const { name } = event.target as HTMLInputElement;
      if (!tried || !name) return;
      const { [name]: _, ...others } = errors;
      const now = check(new FormData(event.currentTarget))[name];
      setErrors(now === undefined ? others : { ...others, [name]: now });
    },
  };
}

/** Ctrl or ⌘ with Enter: a shortcut for the button that sends a form. */
export function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
