import { useState } from "react";
import * as words from "#messages/identity.json";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";

/** The specification's refusal of a second account; opens again for every answer that says so. */
export function EmailInUseDialog({ answer }: { answer: object }) {
  const [read, setRead] = useState<object>();
  if (read === answer) return null;
  return <LazyDialog title={words.error} text={words.emailInUse} onClose={() => setRead(answer)} />;
}
