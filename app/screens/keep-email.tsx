import * as words from "#messages/account.json";
import { signIn } from "#messages/identity.json";
import { CardForm, CardLink } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { EmailAddress } from "#app/features/identity/verification/email-address.tsx";
import { ExpiredLink } from "#app/features/identity/verification/expired-link.tsx";
import { LinkOwner } from "#app/features/identity/verification/link-owner.tsx";
import {
  doneByLink,
  linkAnswer,
  linkPageMeta,
  onlyOnce,
} from "#app/features/identity/verification/link-page.ts";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { refusalIn } from "#app/lib/forms/form-errors.ts";
import { rich } from "#app/lib/text/messages.tsx";
import type { Route } from "./+types/keep-email";

export const meta = pageMeta(words.keepYourEmail, linkPageMeta);

/** A GET undoes nothing: mail servers follow every link they see. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { verification } = context.get(appContext).features;
  return linkAnswer(await verification.keptEmailOf(params.token));
}

export const shouldRevalidate = onlyOnce;

export const action = formAction({
  [unnamed]: act(async ({ features }, { params: { token = "" } }) =>
    doneByLink({ kept: await features.verification.keepEmail(token) }),
  ),
});

export default function KeepEmail({ loaderData: asked, actionData }: Route.ComponentProps) {
  if (actionData && "kept" in actionData) return <Done {...actionData.kept} />;
  const problem = refusalIn(actionData)?.problem;
  if (!asked || problem?.code === "link-used") {
    return (
      <ExpiredLink title={words.keepYourEmail} text={words.takenOver} to="/signIn" label={signIn} />
    );
  }
  if (asked.change === "over") return <Done {...asked} />;
  const done = asked.change === "done";
  return (
    <PostcardCard
      title={done ? words.restoreQuestion : words.keepQuestion}
      line={<LinkOwner username={asked.username} />}
    >
      <p className="text-pretty">
        {rich(done ? words.restoreText : words.keepText, {
          email: <EmailAddress>{asked.email}</EmailAddress>,
        })}
      </p>
      <CardForm problem={problem} button={done ? words.restoreAddress : words.keepAddress} />
      <p className="-mt-3 text-sm text-pretty text-muted">{words.ifItWasYou}</p>
    </PostcardCard>
  );
}

type Change = "waiting" | "done" | "over";

const results: Record<Change, string> = {
  waiting: words.isYourAddress,
  done: words.restoredText,
  over: words.changeOverText,
};

function Done({ email, change }: { email: string; change: Change }) {
  return (
    <PostcardCard title={change === "done" ? words.emailRestored : words.emailUnchanged}>
      <p role="status" className="text-pretty">
        {rich(results[change], { email: <EmailAddress>{email}</EmailAddress> })}
      </p>
      <p className="-mt-2 text-pretty">{change === "done" ? words.restoredNext : words.keptNext}</p>
      <CardLink to="/signIn/forgot">{words.chooseNewPassword}</CardLink>
    </PostcardCard>
  );
}
