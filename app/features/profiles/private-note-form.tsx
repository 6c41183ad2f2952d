import { Form } from "react-router";
import { limits } from "#shared/limits.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

export type Props = {
  name: string;
  note: string;
  /** a note that was refused, and why */
  refused?: { typed: string; problem: string } | undefined;
};

export function PrivateNoteForm({ name, note, refused }: Props) {
  return (
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
  );
}
