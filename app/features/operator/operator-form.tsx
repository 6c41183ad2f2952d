import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import * as words from "#messages/operator.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { Disclosure } from "#app/features/operator/section.tsx";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

/** What every form of a page gets. */
export type FormState = {
  /** the password was not given lately */
  asksPassword: boolean;
  returned: FormResult | undefined;
};

type Props = FormState & {
  form: string;
  /** the button's label */
  press: string;
  look?: "primary" | "outline" | "delete";
  children?: ReactNode;
};

/** The answer to a refused form. */
export function refusedOf(returned: FormResult | undefined, form: string) {
  return returned && "problem" in returned && returned.form === form ? returned : undefined;
}

/** The fields of a form: with what was typed into them where it was refused, and what is wrong with that. */
export function fieldsIn(returned: FormResult | undefined, form: string) {
  const { typed, problem } = refusedOf(returned, form) ?? {};
  return <Name extends string>(name: Name, initial?: string) => ({
    name,
    defaultValue: typed?.[name] ?? initial,
    error: problem?.fields?.[name],
  });
}

/** A form of an operator's page: it asks for the password where it was not given within ten minutes. */
export function OperatorForm({ form, press, look, asksPassword, returned, children }: Props) {
  const pending = useNavigation().formData?.get("intent") === form;
  const problem = refusedOf(returned, form)?.problem;
  const wrong = problem?.fields?.["password"];
  return (
    <Form method="post" noValidate preventScrollReset className="grid gap-4">
      {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
      <input type="hidden" name="intent" value={form} />
      {children}
      {asksPassword || wrong ? (
        <PasswordField label={words.yourPassword} hint={words.passwordHint} error={wrong} />
      ) : null}
      <Button
        type="submit"
        look={look ?? "primary"}
        pending={pending}
        className="justify-self-start"
      >
        {press}
      </Button>
    </Form>
  );
}

/** A form that is opened by a button, and is open where it was refused. */
export function FoldedForm({ label, hint, ...props }: Props & { label: string; hint: string }) {
  return (
    <Disclosure label={label} hint={hint} open={!!refusedOf(props.returned, props.form)}>
      <OperatorForm {...props} />
    </Disclosure>
  );
}

/** The result of the last form, and what it created, which is shown once. */
export function ResultNotice({ returned }: { returned: FormResult | undefined }) {
  if (!returned || "problem" in returned) return null;
  const { message, links = [] } = returned;
  return (
    <div role="status" className="mx-4 grid gap-2 rounded-field bg-base-200 px-4 py-3 md:mx-0">
      <p>{message}</p>
      {links.map((link) => (
        <p key={link} dir="ltr" className="text-sm wrap-anywhere select-all">
          {link}
        </p>
      ))}
      {links.length > 0 && <p className="text-sm text-muted">{words.copyItNow}</p>}
    </div>
  );
}
