import { data, Form, useNavigation } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { LinkGone } from "#app/features/verification/link-gone.tsx";
import { linkAnswer, linkPageMeta } from "#app/features/verification/link-page.ts";
import { about } from "#app/lib/about.ts";
import { appContext } from "#app/lib/context.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/confirm-email.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Confirm your email · Postcard" },
  about,
  linkPageMeta,
];

/** Looking confirms nothing: mail servers follow every link they see. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { verification } = context.get(appContext).features;
  return linkAnswer(await verification.confirmationOf(params.token));
}

/** The link is gone now, as it should be. */
export function shouldRevalidate() {
  return false;
}

export async function action({ context, params }: Route.ActionArgs) {
  const { verification } = context.get(appContext).features;
  try {
    return data({ confirmed: await verification.confirmEmail(params.token) }, 200);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, status } = error;
    return data({ confirmed: null, gone: code === "link-used", message }, status);
  }
}

export default function ConfirmEmail({ loaderData: asked, actionData }: Route.ComponentProps) {
  const pending = useNavigation().formData !== undefined;
  const title = "Confirm your email";
  if (actionData?.confirmed) return <Done email={actionData.confirmed.email} />;
  if (!asked || actionData?.gone) {
    return <LinkGone title={title} to="/settings/email" label="Ask for a new link" />;
  }
  return (
    <PostcardCard title={title}>
      <p className="text-pretty">
        Is <Address>{asked.email}</Address> the address of your account{" "}
        <span dir="ltr" className="font-medium">
          @{asked.username}
        </span>
        ?
      </p>
      <Form method="post" className="flex flex-col gap-4">
        {actionData?.message ? <FormAlert text={actionData.message} /> : null}
        <Button type="submit" look="primary" pending={pending} className="w-full">
          Confirm
        </Button>
      </Form>
      <p className="-mt-3 text-sm text-pretty text-muted">
        If you do not know this account, close this page: nothing happens.
      </p>
    </PostcardCard>
  );
}

function Done({ email }: { email: string }) {
  return (
    <PostcardCard title="Your email is confirmed">
      <p role="status">
        <Address>{email}</Address> is the address of your account.
      </p>
      <ButtonLink to="/" look="primary" className="w-full">
        Go on
      </ButtonLink>
    </PostcardCard>
  );
}

function Address({ children }: { children: string }) {
  return (
    <span dir="ltr" className="font-medium wrap-anywhere">
      {children}
    </span>
  );
}
