import { useState, type ComponentProps } from "react";
import { TextField } from "#app/ui/text-field.tsx";

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
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      after={
        <button
          type="button"
          aria-label={shown ? "Hide the password" : "Show the password"}
          className="h-full min-w-14 px-3 text-sm font-medium noscript:invisible"
          onClick={() => setShown(!shown)}
        >
          {shown ? "Hide" : "Show"}
        </button>
      }
    />
  );
}
