import { Form, redirect } from "react-router";
import { refuse } from "#shared/errors.ts";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { refusalPage } from "#app/lib/refusals.server.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { Button } from "#app/ui/button.tsx";
import type { Route } from "./+types/keep-account";

export const meta: Route.MetaFunction = () => [
  { title: documentTitle("Keep your account") },
  metaDescription,
];

/** For those who signed in to an account that is to be deleted; every page redirects here meanwhile. */
export async function loader({ context }: Route.LoaderArgs) {
  const { leaving, timeZone, features, client } = context.get(appContext);
  if (!leaving) {
    // Providers send everybody here whose account gets no session.
    const { suspension } = features.identity;
    const suspended = await suspension.suspendedOf({ cookie: client.cookieHeader });
    throw redirect(suspended ? "/suspended" : "/");
  }
  return { name: leaving.name, day: formatDate(leaving.dueAt, timeZone) };
}

export async function action({ context }: Route.ActionArgs) {
  const { leaving, features, client } = context.get(appContext);
  if (!leaving) throw redirect("/");
  if (!(await features.deletion.keep(leaving.accountId)))
    throw refusalPage(refuse("deletion-begun"));
  const { cookies } = await features.identity.signIn.complete(leaving.accountId, client, "kept");
  throw redirect("/", {
    headers: setCookies([...cookies, features.identity.recovery.forgetOffer]),
  });
}

export default function KeepAccount({ loaderData: { name, day } }: Route.ComponentProps) {
  return (
    <PostcardCard
      title="Welcome back"
      line={
        <p>
          <bdi className="font-medium">{name}</bdi>, your account is scheduled for deletion on {day}
          . Nothing is deleted yet. Keep it, and everything stays as it was.
        </p>
      }
    >
      <div className="grid gap-2">
        <Form method="post" reloadDocument className="grid">
          <Button type="submit" look="primary">
            Keep my account
          </Button>
        </Form>
        <form method="post" action="/signOut" className="grid">
          <Button type="submit" look="quiet">
            Sign out and let it be deleted
          </Button>
        </form>
      </div>
    </PostcardCard>
  );
}
