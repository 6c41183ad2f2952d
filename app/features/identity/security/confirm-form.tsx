import type { ReactNode, SubmitEventHandler } from "react";
import { Form } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/security.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type ConfirmFormProps = {
  title: string;
  /** the button's label */
  press: string;
  danger?: boolean;
  asksPassword: boolean;
  pending: boolean;
  error: string | undefined;
  /** about the whole form */
  alert: string | undefined;
  onSubmit?: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A change of how one signs in, which asks for the current password where there is one. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { title, press, danger, asksPassword, pending, error, alert, onSubmit, children } = props;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <Form
        method="post"
        noValidate
        {...(onSubmit ? { onSubmit } : {})}
        className="grid max-w-md gap-4 px-4 pb-8 md:px-0"
      >
        {alert ? <FormAlert text={alert} /> : null}
        <p className="text-pretty text-muted">{children}</p>
        {asksPassword || error ? (
          <PasswordField label={words.currentPassword} error={error} />
        ) : (
          <input type="hidden" name="password" value="" />
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look={danger ? "delete" : "primary"} pending={pending}>
            {press}
          </Button>
          <ButtonLink to="/settings/security">{common.cancel}</ButtonLink>
        </div>
      </Form>
    </>
  );
}
