import { Form, useNavigation } from "react-router";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { EmailAddress } from "#app/features/identity/verification/email-address.tsx";
import { ExpiredLink } from "#app/features/identity/verification/expired-link.tsx";
import { LinkOwner } from "#app/features/identity/verification/link-owner.tsx";
import {
  doneByLink,
  linkAnswer,
  linkPageMeta,
} from "#app/features/identity/verification/link-page.ts";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { refusalIn } from "#app/lib/forms/form-errors.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/keep-email";

export const meta: Route.MetaFunction = () => [
  { title: documentTitle("Keep your email") },
  metaDescription,
  linkPageMeta,
];

/** A GET undoes nothing: mail servers follow every link they see. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { verification } = context.get(appContext).features;
  return linkAnswer(await verification.keptEmailOf(params.token));
}

/** The link is gone now, as it should be. */
export function shouldRevalidate() {
  return false;
}

export const action = formAction({
  [unnamed]: act(async ({ features }, { params: { token = "" } }) =>
    doneByLink({ kept: await features.verification.keepEmail(token) }),
  ),
});

export default function KeepEmail({ loaderData: asked, actionData }: Route.ComponentProps) {
  const pending = useNavigation().formData !== undefined;
  if (actionData && "kept" in actionData) return <Done {...actionData.kept} />;
  const problem = refusalIn(actionData)?.problem;
  if (!asked || problem?.code === "link-used") {
    return (
      <ExpiredLink
        title="Keep your email"
        text="If someone else has taken over your account, contact the person who runs this Postcard."
        to="/signIn"
        label="Sign In"
      />
    );
  }
  if (asked.change === "over") return <Done {...asked} />;
  const done = asked.change === "done";
  return (
    <PostcardCard
      title={done ? "Restore your email?" : "Keep your email?"}
      line={<LinkOwner username={asked.username} />}
    >
      <p className="text-pretty">
        {done ? (
          <>
            Another address replaced <EmailAddress>{asked.email}</EmailAddress>. Restoring yours
            signs every device out of the account. The current password stops working, so you'll
            choose a new one.
          </>
        ) : (
          <>
            Someone asked to replace <EmailAddress>{asked.email}</EmailAddress> with another
            address. Keep yours to cancel the change.
          </>
        )}
      </p>
      <Form method="post" className="flex flex-col gap-4">
        {problem ? <FormAlert text={problem.message} /> : null}
        <Button type="submit" look="primary" pending={pending} className="w-full">
          {done ? "Restore this address" : "Keep this address"}
        </Button>
      </Form>
      <p className="-mt-3 text-sm text-pretty text-muted">
        If you asked for the change yourself, close this page. Nothing will change.
      </p>
    </PostcardCard>
  );
}

type Change = "waiting" | "done" | "over";

function Done({ email, change }: { email: string; change: Change }) {
  return (
    <PostcardCard title={change === "done" ? "Your email is restored" : "Your email is unchanged"}>
      <p role="status" className="text-pretty">
        <EmailAddress>{email}</EmailAddress> is the address of your account.
        {change === "done"
          ? " Every device was signed out, and the password no longer works."
          : null}
        {change === "over" ? " The change didn't go through, so there's nothing to cancel." : null}
      </p>
      <p className="-mt-2 text-pretty">
        {change === "done"
          ? "Choose a new one, and check Settings > Security for anything you don't know."
          : "If someone else asked for the change, choose a new password now. They may know yours."}
      </p>
      <ButtonLink to="/signIn/forgot" look="primary" className="w-full">
        Choose a new password
      </ButtonLink>
    </PostcardCard>
  );
}
