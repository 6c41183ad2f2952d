import type { ComponentProps } from "react";
import { TextField } from "#app/ui/text-field.tsx";

/** An email address: the one that somebody signs in with, unless said otherwise. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, "type">) {
  return (
    <TextField
      name="email"
      autoComplete="username"
      inputMode="email"
      dir="ltr"
      required
      {...props}
      type="email"
    />
  );
}
