import { Form, redirect } from "react-router";
import { cancel } from "#messages/common.json";
import { privacyQuestion } from "#app/features/settings/private-account.ts";
import { readPrivacy } from "#app/features/settings/read-privacy.server.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { form, formAction } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";
import type { Route } from "./+types/private-account";

/** The page of "Private account" without scripts: it says what will happen, and asks. */
export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const now = await readPrivacy(features, member);
  if (now.isPrivate === query.has("private")) throw redirect("/settings");
  return now;
}

export const action = formAction({
  private: form(({ privacy }) => privacy.makePrivate, { to: "/settings" }),
  public: form(({ privacy }) => privacy.makePublic, { to: "/settings" }),
});

export default function PrivateAccount({ loaderData: now }: Route.ComponentProps) {
  const { title, text, ok } = privacyQuestion(now);
  return (
    <>
      <SettingsTitle>{title}</SettingsTitle>
      <Form method="post" className="grid gap-5 px-4 md:px-0">
        <p className="text-pretty text-muted">{text}</p>
        <div className="flex gap-3">
          <IntentButton intent={now.isPrivate ? "public" : "private"} look="primary">
            {ok}
          </IntentButton>
          <ButtonLink to="/settings">{cancel}</ButtonLink>
        </div>
      </Form>
    </>
  );
}
