import { Form } from "react-router";
import { save } from "#messages/common.json";
import * as words from "#messages/languages.json";
import { writtenLanguages } from "#app/features/settings/written-languages.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/select-field.tsx";

/** The language of what one writes. `saved`: a tag, which an app may have chosen outside the list; null: none. */
export function PostingLanguage({ saved }: { saved: string | null }) {
  const known = !saved || writtenLanguages.some(([tag]) => tag === saved);
  const choices = [
    ["", words.asScreens] as const,
    ...(known ? [] : [[saved, saved] as const]),
    ...writtenLanguages,
  ];
  return (
    <Form
      preventScrollReset
      method="post"
      action="/settings"
      className="mx-4 grid gap-3 rounded-box border border-line bg-base-100 p-4 md:mx-0"
    >
      <input type="hidden" name="change" value="language" />
      <input type="hidden" name={returnParameter} value="/settings" />
      <div>
        <SelectField
          name="postingLanguage"
          label={words.youWriteIn}
          hint={words.youWriteInHint}
          choices={choices}
          defaultValue={saved ?? ""}
        />
      </div>
      <Button type="submit">{save}</Button>
    </Form>
  );
}
