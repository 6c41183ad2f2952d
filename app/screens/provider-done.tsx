import { redirect } from "react-router";
import * as words from "#messages/account.json";
import * as identity from "#messages/identity.json";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { returnParameter, safeReturnPath, withReturn } from "#app/lib/return-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/provider-done";

export const meta = pageMeta(identity.signIn);

/** After a sign-in in the whole window: says that it worked, then redirects. */
export function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const to = safeReturnPath(query.get(returnParameter));
  if (!context.get(appContext).viewer) throw redirect(withReturn("/signIn", to));
  return { to, made: query.has("new") };
}

export default function ProviderDone({ loaderData: { to, made } }: Route.ComponentProps) {
  const text = made ? identity.created : identity.signedIn;
  return (
    <PostcardCard title={words.welcome}>
      <ButtonLink to={to} look="primary">
        {words.goOn}
      </ButtonLink>
      <SignedInDialog text={text} to={to} />
    </PostcardCard>
  );
}
