import { useState, type ComponentProps } from "react";
import { useHydrated } from "#app/lib/hydrated.ts";
import { IconButton } from "#app/ui/button.tsx";
import { EyeIcon, EyeSlashIcon } from "#app/ui/icons.ts";
import { TextField } from "#app/ui/text-field.tsx";

/** A password, hidden until asked to show it (with scripts only). */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, "type" | "after">) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  const EyeOrNot = shown ? EyeSlashIcon : EyeIcon;
  return (
    <TextField
      {...props}
      type={shown ? "text" : "password"}
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      after={
        <IconButton
          label={shown ? "Hide the characters" : "Show the characters"}
          className={hydrated ? "" : "invisible"}
          onClick={() => setShown(!shown)}
        >
          <EyeOrNot className="size-5" />
        </IconButton>
      }
    />
  );
}
