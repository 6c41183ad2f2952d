import type { ComponentProps, ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";

type Props = Pick<ComponentProps<typeof Form>, "onSubmit" | "onChange"> & {
  /** said above the fields, unless beside them */
  problem?: { message: string | undefined; fields?: FieldErrors | undefined } | undefined;
  button: string;
  children?: ReactNode;
};

/** The form of a postcard: its fields, if any, and its one button. */
export function CardForm({ problem, button, children, ...listeners }: Props) {
  const pending = useNavigation().formData !== undefined;
  return (
    <Form method="post" noValidate className="flex flex-col gap-4" {...listeners}>
      {problem?.message && !problem.fields ? <FormAlert text={problem.message} /> : null}
      {children}
      <Submit pending={pending} className={children ? "mt-2 w-full" : "w-full"}>
        {button}
      </Submit>
    </Form>
  );
}

/** The one way on from a postcard. */
export function CardLink(props: Pick<ComponentProps<typeof ButtonLink>, "to" | "children">) {
  return <ButtonLink {...props} look="primary" className="w-full" />;
}
