import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import type { Acted } from "#app/features/operator/operator.server.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type Props = {
  change: string;
  /** what the button says */
  press: string;
  look?: "primary" | "outline" | "delete";
  /** the password was not given lately */
  asksPassword: boolean;
  returned: Acted | undefined;
  children?: ReactNode;
};

/** A form of an operator's page: it asks for the password where it was not given within ten minutes. */
export function ActForm({
  change,
  press,
  look = "primary",
  asksPassword,
  returned,
  children,
}: Props) {
  const pending = useNavigation().formData?.get("change") === change;
  const mine = returned?.change === change && !returned.done ? returned : undefined;
  return (
    <Form method="post" noValidate preventScrollReset className="grid gap-4">
      {mine && !mine.wrong ? <FormAlert text={mine.message} /> : null}
      <input type="hidden" name="change" value={change} />
      {children}
      {asksPassword || mine?.wrong?.["password"] ? (
        <PasswordField
          label="Your current password"
          name="password"
          autoComplete="current-password"
          hint="Asked for once in ten minutes."
          required
          error={mine?.wrong?.["password"]}
        />
      ) : null}
      <Button type="submit" look={look} pending={pending} className="justify-self-start">
        {press}
      </Button>
    </Form>
  );
}

/** How the last form went, and what it made, which is shown this once. */
export function Told({ returned }: { returned: Acted | undefined }) {
  if (!returned?.done) return null;
  const { message, links } = returned;
  return (
    <div role="status" className="mx-4 grid gap-2 rounded-field bg-base-200 px-4 py-3 md:mx-0">
      <p>{message}</p>
      {links.map((link) => (
        <p key={link} dir="ltr" className="text-sm wrap-anywhere select-all">
          {link}
        </p>
      ))}
      {links.length > 0 && (
        <p className="text-sm text-muted">Copy it now: it is shown this once.</p>
      )}
    </div>
  );
}
