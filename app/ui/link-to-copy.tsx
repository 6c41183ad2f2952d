import * as words from "#messages/ui.json";
import { copyLink } from "#app/lib/text/copy-link.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = { label: string; address: string; hint: string };

/** An address that is shown this once, to be copied; without scripts by hand. */
export function LinkToCopy({ label, address, hint }: Props) {
  return (
    <TextField
      label={label}
      readOnly
      dir="ltr"
      value={address}
      hint={hint}
      className="w-full"
      onFocus={({ currentTarget }) => currentTarget.select()}
      after={
        <Button look="primary" className="noscript:hidden" onClick={() => void copyLink(address)}>
          {words.copy}
        </Button>
      }
    />
  );
}
