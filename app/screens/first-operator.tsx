import { data, redirect, useLocation } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import * as words from "#messages/account.json";
import * as identity from "#messages/identity.json";
import { goHome, operator } from "#messages/shell.json";
import { CardForm, CardLink } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { linkPageMeta } from "#app/features/identity/verification/link-page.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { problemOfRefusal, refusedInit, requireMember } from "#app/lib/refusals.server.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/first-operator";

export const meta: Route.MetaFunction = () => [{ title: documentTitle(operator) }, linkPageMeta];

/** A GET uses nothing up: programs that preview links open it as well. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  try {
    await features.firstOperator.check(params.token);
    return data({ name: viewer?.name ?? null, refused: null }, viewer ? 200 : 401);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data(
      { name: viewer?.name ?? null, refused: problemOfRefusal(error) },
      refusedInit(error),
    );
  }
}

export const action = formAction({
  [unnamed]: act(async (page, { params: { token = "" } }) => {
    await page.features.firstOperator.take(requireMember(page), token);
    return redirect("/operator");
  }),
});

export default function FirstOperator({ loaderData, actionData }: Route.ComponentProps) {
  const { name, refused } = loaderData;
  const { pathname } = useLocation();
  if (refused) {
    return (
      <PostcardCard alone title={words.firstOperatorNowhere}>
        <p className="text-pretty">{refused.message}</p>
        {refused.code !== "operator-exists" && (
          <p className="-mt-2 text-pretty text-muted">{words.firstOperatorNewLink}</p>
        )}
        <CardLink to="/">{goHome}</CardLink>
      </PostcardCard>
    );
  }
  if (name === null) {
    return (
      <PostcardCard alone title={words.lookAfter}>
        <p className="text-pretty">{words.lookAfterSignInFirst}</p>
        <CardLink to={withReturn("/signIn", pathname)}>{identity.signIn}</CardLink>
        <ButtonLink to={withReturn("/signUp", pathname)} className="-mt-3 w-full">
          {identity.signUp}
        </ButtonLink>
      </PostcardCard>
    );
  }
  return (
    <PostcardCard alone title={words.lookAfterQuestion}>
      <p className="text-pretty wrap-anywhere">
        {rich(words.lookAfterText, { name: <bdi className="font-semibold">{name}</bdi> })}
      </p>
      <CardForm problem={actionData?.problem} button={words.becomeOperator} />
      <p className="-mt-3 text-sm text-pretty text-muted">{words.lookAfterOnce}</p>
    </PostcardCard>
  );
}
