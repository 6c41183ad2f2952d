import { useEffect, useRef, useState } from "react";
import type { UsernameCheck } from "#shared/usernames.ts";
import * as words from "#messages/identity.json";
import { noWord, TextField } from "#app/ui/text-field.tsx";

type Props = { typed: string | undefined; error: string | undefined };

const states: Record<UsernameCheck["state"], string> = {
  free: words.usernameFree,
  taken: words.usernameTaken,
  "not allowed": words.usernameNotAllowed,
};

/** A username of one's own, or none: then the server makes it from the names. */
export function UsernameField({ typed, error }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [check, setCheck] = useState<UsernameCheck>();

  // What follows the names and asks the server is loaded when somebody begins to type.
  useEffect(() => {
    const form = field.current?.form;
    const begin = () =>
      import("#app/features/identity/follow-names.ts").then(
        ({ followNames }) => field.current && followNames(field.current, setCheck),
        () => {},
      );
    form?.addEventListener("input", begin, { once: true });
    return () => form?.removeEventListener("input", begin);
  }, []);

  return (
    <TextField
      ref={field}
      label={words.username}
      name="username"
      {...noWord}
      autoComplete="off"
      optional
      hint={words.usernameHint}
      defaultValue={typed}
      error={error ?? check?.problem ?? undefined}
      after={
        <span role="status" className="pe-3 text-sm text-muted">
          {check?.username && states[check.state]}
        </span>
      }
    />
  );
}
