import { extraFieldPlaces, type ExtraFieldInput } from "#shared/extra-fields.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { optionalField } from "#messages/common.json";
import * as messages from "#messages/profile.json";
import { fill } from "#app/lib/text/messages.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = {
  words: Record<ExtraFieldInput, string>;
  errors: FieldErrors;
  /** the owner's page, absolute */
  profileUrl: string;
};

/** Up to four pairs of a name and what there is to say about it. */
export function ExtraFieldsInput({ words, errors, profileUrl }: Props) {
  const link = `<a rel="me" href="${profileUrl}">Postcard</a>`;
  return (
    <fieldset aria-describedby="extra-fields" className="min-w-0">
      <legend className="text-sm font-medium">
        {messages.moreAboutYou} <span className="font-normal text-muted">{optionalField}</span>
      </legend>
      <p id="extra-fields" className="mt-1 text-sm text-muted">
        {messages.moreAboutYouHint}
      </p>
      <div className="mt-3 grid gap-3">
        {extraFieldPlaces.map(({ name, value }, at) => (
          <div key={name} className="grid grid-cols-[2fr_3fr] items-start gap-3">
            <TextField
              name={name}
              label={fill(messages.labelNumber, { number: at + 1 })}
              defaultValue={words[name]}
              error={errors[name]}
              className="w-full"
            />
            <TextField
              name={value}
              label={fill(messages.textNumber, { number: at + 1 })}
              defaultValue={words[value]}
              error={errors[value]}
              className="w-full"
            />
          </div>
        ))}
      </div>
      <details className="mt-3 text-sm">
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">
          {messages.showItsYours}
        </summary>
        <p className="text-muted">{messages.showItsYoursText}</p>
        <code
          dir="ltr"
          className="mt-2 block rounded-field bg-base-200 p-3 wrap-anywhere select-all"
        >
          {link}
        </code>
      </details>
    </fieldset>
  );
}
