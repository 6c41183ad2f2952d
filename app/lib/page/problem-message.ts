import { useEffect, useState } from "react";
import type { FieldErrors } from "#shared/errors.ts";
import { notify } from "#app/lib/toasts.ts";

type Problem = { message: string; fields?: FieldErrors | undefined } | undefined;

/**
 * Shows a refusal that belongs to no field: as a toast when scripts fetched the answer, otherwise as the
 * text to show in the page (the answer came with the document). `message` replaces its sentence; "" shows
 * nothing.
 */
export function useProblemMessage(
  problem: Problem,
  message = problem?.fields ? undefined : problem?.message,
): string | undefined {
  const [withDocument] = useState(problem);
  const later = problem === withDocument ? undefined : problem;
  useEffect(() => {
    if (later && message) notify.error(message);
  }, [later, message]);
  return later ? undefined : message;
}
