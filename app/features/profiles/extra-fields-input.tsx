import { extraFieldPlaces, type ExtraFieldInput } from "#shared/extra-fields.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { TextField } from "#app/ui/text-field.tsx";

type Props = {
  words: Record<ExtraFieldInput, string>;
  errors: FieldErrors;
  /** the owner's page, absolute */
  profileUrl: string;
};

/** Up to four pairs of a name and what there is to say about it. */
export function ExtraFieldsInput({ words, errors, profileUrl }: Props) {
  return (
    <fieldset aria-describedby="extra-fields" className="min-w-0">
      <legend className="text-sm font-medium">
        More about you <span className="font-normal text-muted">(optional)</span>
      </legend>
      <p id="extra-fields" className="mt-1 text-sm text-muted">
        Shown below your bio: your pronouns, say, or where else people find you.
      </p>
      <div className="mt-3 grid gap-3">
        {extraFieldPlaces.map(({ name, value }, at) => (
          <div key={name} className="grid grid-cols-[2fr_3fr] items-start gap-3">
            <TextField
              name={name}
              label={`Label ${at + 1}`}
              defaultValue={words[name]}
              error={errors[name]}
              className="w-full"
            />
            <TextField
              name={value}
              label={`Text ${at + 1}`}
              defaultValue={words[value]}
              error={errors[value]}
              className="w-full"
            />
          </div>
        ))}
      </div>
      <details className="mt-3 text-sm">
        <summary className="link inline-flex min-h-11 cursor-pointer items-center link-hover">
          Show that an address is yours
        </summary>
        <p className="text-muted">
          Put this link on its page, then save here. Once we have found it, the address gets a mark
          on your profile. The address has to begin with https://.
        </p>
        <code
          dir="ltr"
          className="mt-2 block rounded-field bg-base-200 p-3 wrap-anywhere select-all"
        >
          {`<a rel="me" href="${profileUrl}">Postcard</a>`}
        </code>
      </details>
    </fieldset>
  );
}
