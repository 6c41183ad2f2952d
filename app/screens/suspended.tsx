import { data, Link, redirect, useNavigation } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { OwnVerdictView } from "#app/features/reports/own-verdict.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage, refusedInit } from "#app/lib/refusals.server.ts";
import { dateInWords } from "#app/lib/text/times.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/suspended.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Account suspended") }, about];

/** For whoever signed in to a suspended account: why, until when, and the one answer. */
export async function loader({ context }: Route.LoaderArgs) {
  const { features, client, timeZone } = context.get(appContext);
  const { suspension } = features.identity;
  const found = await suspension.suspendedOf({ cookie: client.cookieHeader });
  if (!found) throw redirect("/signIn");
  return {
    name: found.name,
    until: found.until === null ? null : dateInWords(found.until, timeZone),
    verdict: await features.moderation.suspensionOf(found.accountId),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { features, client, readForm } = context.get(appContext);
  const { fields } = await orRefusalPage(readForm(request));
  const { suspension } = features.identity;
  const found = await suspension.suspendedOf({ cookie: client.cookieHeader });
  if (!found) throw redirect("/signIn");
  const { verdictId = "", words = "" } = fields;
  try {
    await features.moderation.answer(found.accountId, verdictId, { words });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, fields: wrong } = error;
    const problem = { code, message, fields: wrong };
    return data({ typed: { verdictId, words }, problem }, refusedInit(error));
  }
  return redirect("/suspended");
}

export default function Suspended({ loaderData, actionData }: Route.ComponentProps) {
  const { name, until, verdict } = loaderData;
  const pending = useNavigation().formData !== undefined;
  return (
    <PostcardCard
      title="Your account is suspended"
      line={
        <p>
          <bdi className="font-medium">{name}</bdi>, nobody sees your account and its posts now, and
          you can't sign in. {until ? `It comes back by itself on ${until}.` : "No end is set."} It
          isn't deleted.
        </p>
      }
    >
      {verdict ? (
        <OwnVerdictView
          verdict={verdict}
          returned={actionData?.typed.verdictId === verdict.id ? actionData : undefined}
          pending={pending}
        />
      ) : (
        <p className="text-muted">
          Whoever runs this place suspended it. Ask them if you don't know why.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink to="/" reloadDocument>
          Leave this page
        </ButtonLink>
        <Link to="/rules" className="link inline-flex min-h-11 items-center">
          Rules of this place
        </Link>
      </div>
    </PostcardCard>
  );
}
