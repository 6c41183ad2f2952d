import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";
import { useFetcher } from "react-router";
import { limits } from "#shared/limits.ts";
import { copyLink as copyLabel } from "#messages/common.json";
import * as words from "#messages/first-day.json";
import { Step } from "#app/features/first-day/step.tsx";
import type { readFirstDay } from "#app/features/first-day/read-first-day.server.ts";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { copyLink } from "#app/lib/text/copy-link.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type Place = NonNullable<NonNullable<Awaited<ReturnType<typeof readFirstDay>>>["place"]>;
type Props = { number: number; place: Place; asksPassword: boolean };

const { days } = limits.invitations;

const hints = {
  open: words.linkToSendOn,
  invitation: counted(words.forOnePerson, days),
};

/** Makes an invitation and copies its link. Nobody joins with one where sign-up is closed. */
export function InviteStep({ number, place, asksPassword }: Props) {
  const step = { number, done: place.invited, title: words.invitePeople };
  if (place.signUp !== "closed") {
    return <Invite {...step} hint={hints[place.signUp]} asksPassword={asksPassword} />;
  }
  return (
    <Step {...step} hint={words.closed}>
      <ButtonLink to="/operator/place" className="shrink-0">
        {words.open}
      </ButtonLink>
    </Step>
  );
}

type InviteProps = Omit<Parameters<typeof Step>[0], "children" | "below"> &
  Pick<Props, "asksPassword">;

/**
 * The form of the operator's page for invitations, which answers without scripts. The password is asked for
 * where that page would: beneath the row, once the button is pressed.
 */
function Invite({ asksPassword, hint, ...step }: InviteProps) {
  const { Form, data, state } = useFetcher<FormResult>();
  const [asked, setAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const link = data && "links" in data ? data.links?.[0] : undefined;
  const problem = data && "problem" in data ? data.problem : undefined;
  const wrong = problem?.fields?.["password"];
  const opened = (asked && asksPassword) || wrong !== undefined;

  useEffect(() => {
    if (opened) form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }, [opened]);

  useEffect(() => {
    if (link) void copyLink(link);
  }, [link]);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    if (!link && (opened || !asksPassword)) return;
    event.preventDefault();
    if (link) void copyLink(link);
    else setAsked(true);
  }

  return (
    <Step
      {...step}
      hint={link ? words.hereItIs : hint}
      below={
        <Form
          ref={form}
          id={id}
          method="post"
          action="/operator/invitations"
          noValidate
          onSubmit={submit}
          className="ps-9"
        >
          <input type="hidden" name="intent" value="invite" />
          <input type="hidden" name="days" value={days} />
          <input type="hidden" name="count" value="1" />
          {opened && !link && (
            <div className="pt-2">
              <PasswordField label={words.currentPassword} error={wrong} />
            </div>
          )}
          {problem && !problem.fields && <FieldError id={id} error={problem.message} />}
          {link && (
            <p dir="ltr" className="text-sm wrap-anywhere select-all">
              {link}
            </p>
          )}
        </Form>
      }
    >
      <Button type="submit" form={id} pending={state !== "idle"} className="shrink-0">
        {copyLabel}
      </Button>
    </Step>
  );
}
