import { Link } from "react-router";
import { limits } from "#shared/limits.ts";
import { ActForm, Told } from "#app/features/operator/act-form.tsx";
import { act, requireOperator } from "#app/features/operator/operator.server.ts";
import { Disclosure, Section } from "#app/features/operator/section.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { orRefusalPage } from "#app/lib/refusals.server.ts";
import { dateInWords } from "#app/lib/text/times.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-invitations.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Invitations") }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireOperator({ viewer });
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [{ mode, page }, asksPassword] = await Promise.all([
    orRefusalPage(features.desk.invited(member, cursor)),
    features.identity.confirmation.asksPassword(member),
  ]);
  return { mode, page, asksPassword };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { features, publicUrl, ...rest } = context.get(appContext);
  const { desk } = features;
  return act({ features, publicUrl, ...rest }, request, {
    invite: async (operator, { days = "", count = "", note = "" }) => {
      const given = { days: Number(days), count: Number(count), note };
      const made = await desk.invite(operator, given);
      return {
        message: made.length === 1 ? "One invitation was made." : `${made.length} were made.`,
        links: made.map(({ code }) => `${publicUrl}/signUp?invitation=${code}`),
      };
    },
    withdraw: async (operator, { invitation = "" }) => {
      await desk.withdrawInvitation(operator, invitation);
      return { message: "It was withdrawn: its link makes no account any more." };
    },
  });
}

export default function Invitations({ loaderData, actionData }: Route.ComponentProps) {
  const { mode, page, asksPassword } = loaderData;
  const timeZone = useTimeZone();
  const day = (at: number) => dateInWords(at, timeZone);
  const refused = actionData?.change === "invite" && !actionData.done ? actionData : undefined;
  return (
    <>
      <PageTitle>Invitations</PageTitle>
      <div className="grid gap-6 pb-8">
        <Told returned={actionData} />
        {mode !== "invitation" && (
          <p className="px-4 text-pretty text-muted md:px-0">
            {mode === "open"
              ? "Everybody may sign up here, so nobody needs an invitation. "
              : "Nobody may sign up here, not even with an invitation. "}
            <Link to="/operator/place" className="link">
              Change that
            </Link>
          </p>
        )}
        <Section title="Invite somebody">
          <ActForm
            key={page.items[0]?.id}
            change="invite"
            press="Make links"
            asksPassword={asksPassword}
            returned={actionData}
          >
            <TextField
              name="note"
              label="Whom it is for"
              hint="Only operators read it."
              optional
              maxLength={100}
              defaultValue={refused?.typed["note"]}
              error={refused?.wrong?.["note"]}
            />
            <TextField
              name="days"
              label="Good for days"
              inputMode="numeric"
              defaultValue={refused?.typed["days"] ?? limits.invitations.days}
              error={refused?.wrong?.["days"]}
            />
            <TextField
              name="count"
              label="How many"
              hint="Each makes one account."
              inputMode="numeric"
              defaultValue={refused?.typed["count"] ?? 1}
              error={refused?.wrong?.["count"]}
            />
          </ActForm>
        </Section>
        <Section title="Made so far">
          {page.items.length === 0 && <p className="text-muted">None that is still good.</p>}
          <ul>
            {page.items.map(({ id, note, used, madeAt, endsAt }) => (
              <li key={id} className="border-b border-line py-2 last:border-b-0">
                {used ? (
                  <>
                    <p dir="auto" className="font-medium wrap-anywhere">
                      {note || `Made on ${day(madeAt)}`}
                    </p>
                    <p className="text-sm text-muted">Used</p>
                  </>
                ) : (
                  <Disclosure
                    label={note || `Made on ${day(madeAt)}`}
                    hint={`Good until ${day(endsAt)}`}
                    open={actionData?.typed["invitation"] === id}
                  >
                    <ActForm
                      change="withdraw"
                      press="Withdraw"
                      look="delete"
                      asksPassword={asksPassword}
                      returned={actionData?.typed["invitation"] === id ? actionData : undefined}
                    >
                      <input type="hidden" name="invitation" value={id} />
                    </ActForm>
                  </Disclosure>
                )}
              </li>
            ))}
          </ul>
          {page.nextCursor && (
            <Link to={`?${new URLSearchParams({ cursor: page.nextCursor })}`} className="btn">
              Older
            </Link>
          )}
        </Section>
      </div>
    </>
  );
}
