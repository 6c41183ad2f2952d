import * as words from "#messages/operator.json";
import { limits } from "#shared/limits.ts";
import type { InvitationView } from "#shared/operator.ts";
import {
  OperatorForm,
  fieldsIn,
  FoldedForm,
  refusedOf,
  ResultNotice,
  type FormState,
} from "#app/features/operator/operator-form.tsx";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { linkTo } from "#app/ui/text-link.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-invitations";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  const [{ mode, page }, asksPassword] = await Promise.all([
    features.dashboard.invited(member, url.searchParams.get("cursor")),
    features.identity.confirmation.asksPassword(member),
  ]);
  return { mode, page, asksPassword };
}

export const action = operatorAction({
  invite: async ({ dashboard, operator, page, fields: { days, count, note } }) => {
    const made = await dashboard.invite(operator, {
      days: Number(days),
      count: Number(count),
      note,
    });
    return {
      message: counted(words.invitationsCreated, made.length),
      links: made.map(({ code }) => `${page.publicUrl}/signUp?invitation=${code}`),
    };
  },
  withdraw: async ({ dashboard, operator, fields }) => {
    await dashboard.withdrawInvitation(operator, fields["invitation"] ?? "");
    return { message: words.withdrawn };
  },
});

export default function Invitations({ loaderData, actionData }: Route.ComponentProps) {
  const { mode, page, asksPassword } = loaderData;
  const acting = { asksPassword, returned: actionData };
  return (
    <>
      <ScreenTitle>{words.invitations}</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        {mode !== "invitation" && (
          <p className="px-4 text-pretty text-muted md:px-0">
            {rich(mode === "open" ? words.anyoneCanSignUp : words.noOneCanSignUp, {
              change: linkTo("/operator/place"),
            })}
          </p>
        )}
        <Section title={words.invitePeople}>
          <InviteForm key={page.items[0]?.id} {...acting} />
        </Section>
        <Section title={words.activeInvitations}>
          {page.items.length === 0 && <p className="text-muted">{words.noneYet}</p>}
          <ul>
            {page.items.map((invitation) => (
              <Invitation key={invitation.id} invitation={invitation} {...acting} />
            ))}
          </ul>
          <OlderLink cursor={page.nextCursor} />
        </Section>
      </div>
    </>
  );
}

function InviteForm(acting: FormState) {
  const field = fieldsIn(acting.returned, "invite");
  return (
    <OperatorForm {...acting} form="invite" press={words.createLinks}>
      <TextField
        {...field("note")}
        label={words.yourNote}
        hint={words.yourNoteHint}
        optional
        maxLength={100}
      />
      <TextField
        {...field("days", String(limits.invitations.days))}
        label={words.validFor}
        inputMode="numeric"
      />
      <TextField
        {...field("count", "1")}
        label={words.numberOfPeople}
        hint={words.numberOfPeopleHint}
        inputMode="numeric"
      />
    </OperatorForm>
  );
}

function Invitation({ invitation, ...acting }: FormState & { invitation: InvitationView }) {
  const { id, note, used, madeAt, endsAt } = invitation;
  const timeZone = useTimeZone();
  const name = note || fill(words.createdOn, { date: formatDate(madeAt, timeZone) });
  const refused = refusedOf(acting.returned, "withdraw")?.typed["invitation"] === id;
  return (
    <li className="border-b border-line py-2 last:border-b-0">
      {used ? (
        <>
          <p dir="auto" className="font-medium wrap-anywhere">
            {name}
          </p>
          <p className="text-sm text-muted">{words.used}</p>
        </>
      ) : (
        <FoldedForm
          label={name}
          hint={fill(words.validUntil, { date: formatDate(endsAt, timeZone) })}
          form="withdraw"
          press={words.withdraw}
          look="delete"
          asksPassword={acting.asksPassword}
          returned={refused ? acting.returned : undefined}
        >
          <input type="hidden" name="invitation" value={id} />
        </FoldedForm>
      )}
    </li>
  );
}
