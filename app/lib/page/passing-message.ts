import { useEffect, useState } from "react";
import { notify } from "#app/lib/toasts.ts";

type Answer = { message?: string | undefined } | undefined;

/**
 * Says what the server answered: as a toast when scripts fetched the answer, else as the text to
 * show in the page (the answer came with the document).
 */
export function usePassingMessage(answer: Answer): string | undefined {
  const [withDocument] = useState(answer);
  const later = answer === withDocument ? undefined : answer;
  useEffect(() => {
    if (later?.message) notify.error(later.message);
  }, [later]);
  return answer === withDocument ? answer?.message : undefined;
}
