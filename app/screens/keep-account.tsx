import { Form, redirect } from "react-router";
import { refuse } from "#shared/errors.ts";
import * as words from "#messages/account.json";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Button, Submit } from "#app/ui/button.tsx";
import type { Route } from "./+types/keep-account";

export const meta = pageMeta(words.keepYourAccount);

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
  if (!(await features.deletion.keep(leaving.accountId))) throw refuse("deletion-begun");
  const { cookies } = await features.identity.signIn.complete(leaving.accountId, client, "kept");
  throw redirect("/", {
    headers: setCookies([...cookies, features.identity.recovery.forgetOffer]),
  });
}

export default function KeepAccount({ loaderData: { name, day } }: Route.ComponentProps) {
  return (
    <PostcardCard
      title={words.welcomeBack}
      line={
        <p>
          {rich(words.keepAccountText, { name: <bdi className="font-medium">{name}</bdi>, day })}
        </p>
      }
    >
      <div className="grid gap-2">
        <Form method="post" reloadDocument className="grid">
          <Submit>{words.keepMyAccount}</Submit>
        </Form>
        <form method="post" action="/signOut" className="grid">
          <Button type="submit" look="quiet">
            {words.signOutAndDelete}
          </Button>
        </form>
      </div>
    </PostcardCard>
  );
}
