import { Form } from "react-router";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/profile.json";
import { fill } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

export type Props = {
  name: string;
  note: string;
  /** a note that was refused, and why */
  refused?:
    { typed: { note?: string | undefined }; problem: Parameters<typeof problemAt>[1] } | undefined;
};

export function PrivateNoteForm({ name, note, refused }: Props) {
  return (
    <Form method="post" noValidate className="grid gap-2 pb-4">
      <input type="hidden" name="intent" value="note" />
      <TextArea
        name="note"
        label={fill(words.noteAbout, { name })}
        labelHidden
        defaultValue={refused?.typed.note ?? note}
        limit={limits.note.graphemes}
        error={problemAt("note", refused?.problem)}
      />
      <Button type="submit" look="outline" className="justify-self-end">
        {words.saveNote}
      </Button>
    </Form>
  );
}
