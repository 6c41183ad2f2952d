import { tag } from "#messages/language.json";
import * as words from "#messages/shell.json";
import { useRootData } from "#app/lib/page/root-data.ts";
import type { LanguageProps } from "#app/features/shell/language-choice.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/select-field.tsx";

/** A plain form, with scripts as well: the page comes in another build. */
export function LanguageForm({ className, saved }: LanguageProps) {
  const offered = (useRootData()?.languages ?? []).map(
    ({ tag: value, name, draft }) =>
      [value, draft ? fill(words.languageDraft, { name }) : name] as const,
  );
  const choices = saved === undefined ? offered : [["", words.languageAsked] as const, ...offered];
  const chosen = saved === undefined ? tag : (saved ?? "");
  return (
    <form method="post" action="/settings" className={`grid gap-3 ${className}`}>
      <input type="hidden" name="change" value="language" />
      <BackHere />
      <div>
        <SelectField
          name="language"
          label={words.language}
          choices={choices}
          defaultValue={chosen}
        />
      </div>
      <Button type="submit">{words.takeLanguage}</Button>
    </form>
  );
}
