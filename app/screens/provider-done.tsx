import { redirect } from "react-router";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { returnParameter, safeReturnPath, withReturn } from "#app/lib/return-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/provider-done";

export const meta: Route.MetaFunction = () => [
  { title: documentTitle("Sign In") },
  metaDescription,
];

/** After a sign-in in the whole window: says that it worked, then redirects. */
export function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const to = safeReturnPath(query.get(returnParameter));
  if (!context.get(appContext).viewer) throw redirect(withReturn("/signIn", to));
  return { to, made: query.has("new") };
}

export default function ProviderDone({ loaderData: { to, made } }: Route.ComponentProps) {
  const text = made ? "Account created Successfully" : "Signed In Successfully";
  return (
    <PostcardCard title="Welcome">
      <ButtonLink to={to} look="primary">
        Continue
      </ButtonLink>
      <SignedInDialog text={text} to={to} />
    </PostcardCard>
  );
}
