import { useState } from "react";
import { Dialog } from "#app/ui/dialog.tsx";

/** The specification's refusal of a second account; opens again for every answer that says so. */
export function EmailInUseDialog({ answer }: { answer: object }) {
  const [read, setRead] = useState<object>();
  if (read === answer) return null;
  return <Dialog title="Error" text="Email Already in use" onClose={() => setRead(answer)} />;
}
