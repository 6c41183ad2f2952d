import { data, Form, redirect, useLocation, useNavigation } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { linkPageMeta } from "#app/features/identity/verification/link-page.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { refusedInit, requireMember } from "#app/lib/refusals.server.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/first-operator";

export const meta: Route.MetaFunction = () => [{ title: documentTitle("Operator") }, linkPageMeta];

/** A GET uses nothing up: programs that preview links open it as well. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  try {
    await features.firstOperator.check(params.token);
    return data({ name: viewer?.name ?? null, refused: "" }, viewer ? 200 : 401);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ name: viewer?.name ?? null, refused: error.message }, refusedInit(error));
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
  const pending = useNavigation().formData !== undefined;
  if (refused) {
    return (
      <PostcardCard alone title="This link leads nowhere">
        <p className="text-pretty">{refused}</p>
        <p className="-mt-2 text-pretty text-muted">
          While there's no operator, each start of the server writes a new link into its log.
        </p>
        <ButtonLink to="/" look="primary" className="w-full">
          To the front page
        </ButtonLink>
      </PostcardCard>
    );
  }
  if (name === null) {
    return (
      <PostcardCard alone title="Look after this place">
        <p className="text-pretty">
          This link makes you its operator. Sign in first, or sign up. We'll bring you back here.
        </p>
        <ButtonLink to={withReturn("/signIn", pathname)} look="primary" className="w-full">
          Sign In
        </ButtonLink>
        <ButtonLink to={withReturn("/signUp", pathname)} className="-mt-3 w-full">
          Sign Up
        </ButtonLink>
      </PostcardCard>
    );
  }
  return (
    <PostcardCard alone title="Look after this place?">
      <p className="text-pretty wrap-anywhere">
        You're signed in as <bdi className="font-semibold">{name}</bdi>. As the operator, you decide
        who can join and what's allowed, help people who can't sign in, and see if the server is
        well.
      </p>
      <Form method="post" className="flex flex-col gap-4">
        {actionData ? <FormAlert text={actionData.problem.message} /> : null}
        <Button type="submit" look="primary" pending={pending} className="w-full">
          Become the operator
        </Button>
      </Form>
      <p className="-mt-3 text-sm text-pretty text-muted">
        The link works once. Everything operators do is logged.
      </p>
    </PostcardCard>
  );
}
