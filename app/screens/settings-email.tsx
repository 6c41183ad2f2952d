import { yourEmail } from "#messages/account.json";
import { EmailSection } from "#app/features/identity/verification/email-section.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { act, formAction } from "#app/lib/forms/form-action.server.ts";
import { memberPage, requireMember } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/settings-email";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return features.verification.emailState(member);
}

export const action = formAction(
  {
    resend: act(async (page) => {
      const viewer = requireMember(page);
      await page.features.verification.resend(viewer, page.client);
      return { asked: "resend" as const, email: viewer.email };
    }),
    cancel: act(async (page) => {
      const viewer = requireMember(page);
      await page.features.verification.cancelChange(viewer);
      return { asked: "cancel" as const, email: viewer.email };
    }),
    email: act(
      async (page, { fields: { email = "", password = "" } }) => {
        const { verification } = page.features;
        await verification.requestChange(requireMember(page), { email, password }, page.client);
        return { asked: "change" as const, email };
      },
      ["email"],
    ),
  },
  { named: "change" },
);

export default function SettingsEmail({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <SettingsTitle>{yourEmail}</SettingsTitle>
      <div className="pb-8">
        <EmailSection state={loaderData} answer={actionData} />
      </div>
    </>
  );
}
