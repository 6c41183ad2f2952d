import { useState, type ComponentProps } from "react";
import * as words from "#messages/identity.json";
import { noWord, TextField } from "#app/ui/text-field.tsx";

/** A password, hidden until the reader shows it (with scripts only): the current one by default. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, "type" | "after">) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      name="password"
      autoComplete="current-password"
      required
      {...props}
      type={shown ? "text" : "password"}
      {...noWord}
      after={
        <button
          type="button"
          aria-label={shown ? words.hidePassword : words.showPassword}
          className="h-full min-w-14 shrink-0 px-3 text-sm font-medium noscript:invisible"
          onClick={() => setShown(!shown)}
        >
          {shown ? words.hide : words.show}
        </button>
      }
    />
  );
}
