import { redirect, useNavigation } from "react-router";
import * as words from "#messages/reports.json";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { OwnVerdictView } from "#app/features/reports/own-verdict.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/suspended";

export const meta = pageMeta(words.suspendedTitle);

/** For those who signed in to a suspended account: why, until when, and the one answer. */
export async function loader({ context }: Route.LoaderArgs) {
  const { features, client, timeZone } = context.get(appContext);
  const { suspension } = features.identity;
  const found = await suspension.suspendedOf({ cookie: client.cookieHeader });
  if (!found) throw redirect("/signIn");
  return {
    name: found.name,
    until: found.until === null ? null : formatDate(found.until, timeZone),
    verdict: await features.moderation.suspensionOf(found.accountId),
  };
}

export const action = formAction({
  [unnamed]: act(
    async ({ features, client }, { fields: { verdictId = "", words: said = "" } }) => {
      const { suspension } = features.identity;
      const found = await suspension.suspendedOf({ cookie: client.cookieHeader });
      if (!found) return redirect("/signIn");
      await features.moderation.answer(found.accountId, verdictId, { words: said });
      return redirect("/suspended");
    },
    ["verdictId", "words"],
  ),
});

export default function Suspended({ loaderData, actionData }: Route.ComponentProps) {
  const { name, until, verdict } = loaderData;
  const pending = useNavigation().formData !== undefined;
  return (
    <PostcardCard
      title={words.suspendedHeading}
      line={
        <p>
          {rich(until ? words.suspendedUntil : words.suspendedOpenEnd, {
            name: <bdi className="font-medium">{name}</bdi>,
            until,
          })}
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
        <p className="text-muted">{words.suspendedByOperator}</p>
      )}
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink to="/" reloadDocument>
          {words.leavePage}
        </ButtonLink>
        <Link to="/rules" className="link inline-flex min-h-11 items-center">
          {words.houseRules}
        </Link>
      </div>
    </PostcardCard>
  );
}
