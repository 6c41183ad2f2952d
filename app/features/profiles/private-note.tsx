import { Form } from "react-router";
import { limits } from "#shared/limits.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  name: string;
  note: string;
  /** a note that was refused, and why */
  refused?: { typed: string; problem: string } | undefined;
};

/** What the reader notes about somebody for themselves, on that profile. */
export function PrivateNote({ name, note, refused }: Props) {
  return (
    <details className="mt-4 border-t border-line" open={refused !== undefined}>
      <summary className="min-h-11 cursor-pointer py-2 text-sm text-muted">
        {note ? "Your note" : "Add a note"} <span className="text-xs">(only you see it)</span>
        {note && (
          <span
            dir="auto"
            className="mt-1 block whitespace-pre-wrap text-base-content wrap-anywhere"
          >
            {note}
          </span>
        )}
      </summary>
      <Form method="post" noValidate className="grid gap-2 pb-4">
        <input type="hidden" name="intent" value="note" />
        <TextArea
          name="note"
          label={`Your note about ${name}`}
          labelHidden
          defaultValue={refused?.typed ?? note}
          limit={limits.note.graphemes}
          error={refused?.problem}
        />
        <Button type="submit" look="outline" className="justify-self-end">
          Save note
        </Button>
      </Form>
    </details>
  );
}
