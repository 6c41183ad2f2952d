import { useRevalidator } from "react-router";
import * as words from "#messages/bring.json";
import type { ImportView } from "#shared/archive.ts";
import { endImport } from "#app/features/archive/bring/import-calls.ts";
import { hereOf } from "#app/features/archive/bring/here-of.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { Button } from "#app/ui/button.tsx";

/** An import that is not at its end, begun by an earlier page or on another device. */
export function OpenImport({ open }: { open: ImportView }) {
  const { revalidate } = useRevalidator();
  const { send, sending, problem } = useSending();
  const end = async () => {
    await endImport(open.id);
    await revalidate();
  };

  return (
    <section aria-label={words.importToGoOn} className="grid gap-2 rounded-field bg-base-200 p-3">
      <p className="font-medium">
        {hereOf(open)} {words.sameFile}
      </p>
      {problem ? <FormAlert text={problem.message} /> : null}
      <Button
        look="outline"
        className="justify-self-start noscript:hidden"
        pending={sending}
        onClick={() => void send(end)}
      >
        {words.endHere}
      </Button>
    </section>
  );
}
