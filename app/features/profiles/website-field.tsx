import { useRef, useState } from "react";
import { websiteOf, websiteProblem } from "#shared/profiles.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/profile.json";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { promptText } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = { defaultValue: string; error: string | undefined };

/** One link: edited in a dialog; without scripts a plain field. */
export function WebsiteField({ defaultValue, error }: Props) {
  const hydrated = useHydrated();
  const field = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(defaultValue !== "");
  /** the error that an answer in the dialog has put right */
  const [settled, setSettled] = useState<string>();

  async function change(): Promise<void> {
    const input = field.current;
    if (!input) return;
    const answer = await promptText(
      { title: words.yourWebsite, text: words.websiteText },
      {
        label: words.address,
        type: "url",
        value: input.value,
        placeholder: "https://",
        check: websiteProblem,
      },
    );
    if (answer === null) return;
    input.value = websiteOf(answer) ?? answer;
    setFilled(input.value !== "");
    setSettled(error);
  }

  return (
    <TextField
      ref={field}
      name="website"
      type="url"
      label={words.website}
      optional
      dir="ltr"
      inputMode="url"
      autoComplete="url"
      placeholder="https://"
      readOnly={hydrated}
      onClick={hydrated ? () => void change() : undefined}
      defaultValue={defaultValue}
      error={error === settled ? undefined : error}
      after={
        <Button
          look="quiet"
          className={hydrated ? "" : "invisible"}
          aria-label={filled ? words.changeWebsite : words.addWebsite}
          onClick={() => void change()}
        >
          {filled ? common.change : common.add}
        </Button>
      }
    />
  );
}
