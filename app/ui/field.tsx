import { useEffect, useSyncExternalStore, type ReactNode } from "react";
import { loadSentences, said, sentences } from "#app/lib/text/said.ts";
import * as words from "#messages/identity.json";

type FieldProps = {
  id: string;
  label: ReactNode;
  /** shown before any error */
  hint?: ReactNode;
  /** one sentence, or the specification's 'required*' */
  error?: string | undefined;
  optional?: boolean;
  /** at the end of the label's line, such as the number of remaining characters */
  aside?: ReactNode;
  children: ReactNode;
};

/** Label, control, hint and error in their order; the control takes `describedBy(id, …)`. */
export function Field({ id, label, hint, error, optional, aside, children }: FieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
          {optional ? <span className="font-normal text-muted"> {words.optional}</span> : null}
        </label>
        {aside}
      </div>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
      <FieldError id={id} error={error} />
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return error ? <Refusal id={`${id}-error`} sentence={error} /> : null;
}

/** Said again once the translations are here: a form's own check may be faster than they are. */
function Refusal({ id, sentence }: { id: string; sentence: string }) {
  useSyncExternalStore(sentences.subscribe, sentences.now, () => undefined);
  useEffect(() => void loadSentences(), []);
  return (
    <p id={id} className="text-sm font-medium text-danger">
      {said(sentence)}
    </p>
  );
}

/** The description for screen readers: the hint, then the error. */
export function describedBy(id: string, { hint, error }: { hint: unknown; error: unknown }) {
  const ids = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}
