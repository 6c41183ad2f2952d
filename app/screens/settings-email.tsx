import { data } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import {
  EmailSection,
  type EmailAnswer,
} from "#app/features/identity/verification/email-section.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/settings-email.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Your email") }, about];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return orRefusalPage(app.features.verification.emailState(requireMember(app)));
}

/** POST change=resend · or change=cancel · or change=email, email, password */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = requireMember(app);
  const { verification } = app.features;
  const { fields } = await orRefusalPage(app.readForm(request));
  const { change, email = "", password = "" } = fields;
  try {
    if (change === "resend") {
      await verification.resend(viewer, app.client);
      return data<EmailAnswer>({ asked: "resend", email: viewer.email });
    }
    if (change === "cancel") {
      await verification.cancelChange(viewer);
      return data<EmailAnswer>({ asked: "cancel", email: viewer.email });
    }
    await verification.requestChange(viewer, { email, password }, app.client);
    return data<EmailAnswer>({ asked: "change", email });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { fields: wrong, message, status } = error;
    return data<EmailAnswer>({ asked: null, email, fields: wrong, message }, status);
  }
}

export default function SettingsEmail({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <BackLink to="/settings" besides>
        Settings
      </BackLink>
      <PageTitle>Your email</PageTitle>
      <div className="pb-8">
        <EmailSection state={loaderData} answer={actionData} />
      </div>
    </>
  );
}
