import { data, redirect } from "react-router";
import * as words from "#messages/identity.json";
import { CardForm } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { ExpiredLink } from "#app/features/identity/verification/expired-link.tsx";
import { LinkOwner } from "#app/features/identity/verification/link-owner.tsx";
import {
  linkAnswer,
  linkPageMeta,
  onlyOnce,
} from "#app/features/identity/verification/link-page.ts";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { refusalIn } from "#app/lib/forms/form-errors.ts";
import { safeReturnPath, withReturn } from "#app/lib/return-path.ts";
import type { Route } from "./+types/sign-in-link";

export const meta = pageMeta(words.signIn, linkPageMeta);

/** A GET signs nobody in: mail servers follow every link they see. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { verification } = context.get(appContext).features;
  return linkAnswer(await verification.signInLinkOf(params.token));
}

export const shouldRevalidate = onlyOnce;

export const action = formAction({
  [unnamed]: act(async ({ features, client }, { params: { token = "" } }) => {
    const { entered, returnTo } = await features.verification.signInByLink({ token, client });
    const headers = setCookies(entered.cookies);
    if ("leaving" in entered) return redirect("/keepAccount", { headers });
    if ("suspended" in entered) return redirect("/suspended", { headers });
    const to = safeReturnPath(returnTo);
    if (!entered.viewer) return redirect(withReturn("/signIn/code", to), { headers });
    return data({ signedIn: true as const, to }, { status: 200, headers });
  }),
});

export default function SignInLink({ loaderData: owner, actionData }: Route.ComponentProps) {
  const problem = refusalIn(actionData)?.problem;
  if ((!owner && !actionData) || problem?.code === "link-used") {
    return <ExpiredLink title={words.signIn} to="/signIn" label={words.backToSignIn} />;
  }
  return (
    <PostcardCard title={words.signIn} line={owner ? <LinkOwner {...owner} /> : null}>
      <CardForm problem={problem} button={words.signIn} />
      {actionData && "to" in actionData ? (
        <SignedInDialog text={words.signedIn} to={actionData.to} />
      ) : null}
    </PostcardCard>
  );
}
