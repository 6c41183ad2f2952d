import { Link } from "react-router";
import { roles } from "#shared/operator.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { sizeInWords, usageInWords } from "#shared/sizes.ts";
import { ActForm, Told } from "#app/features/operator/act-form.tsx";
import { act, requireOperator } from "#app/features/operator/operator.server.ts";
import { Disclosure, Facts, Section } from "#app/features/operator/section.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { orRefusalPage } from "#app/lib/refusals.server.ts";
import { dateInWords } from "#app/lib/text/times.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-person.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("People") }];

const lengths = [
  ["1", "1 day"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["", "Without an end"],
] as const;

const roleNames = { member: "Member", moderator: "Moderator", operator: "Operator" } as const;
const roleHints = {
  member: "Looks after nobody but themselves.",
  moderator: "Decides about what members report.",
  operator: "Decides about reports, and does everything on these pages.",
} as const;

const ms = (date: Date | null) => date?.getTime() ?? null;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireOperator({ viewer });
  const { account, storage } = await orRefusalPage(features.desk.person(member, params.id));
  const { createdAt, suspendedAt, suspendedUntil, deletionDueAt, lastSeenAt, ...rest } = account;
  return {
    account: rest,
    times: {
      joined: createdAt.getTime(),
      suspended: ms(suspendedAt),
      until: ms(suspendedUntil),
      leaves: ms(deletionDueAt),
      seen: ms(lastSeenAt),
    },
    storage,
    own: member.id === account.id,
    asksPassword: await features.identity.confirmation.asksPassword(member),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { features, ...rest } = context.get(appContext);
  const { desk } = features;
  return act({ features, ...rest }, request, {
    suspend: async (operator, { reason = "", days = "" }) => {
      const why = { reason, days: days === "" ? null : Number(days) };
      const { username } = await desk.suspend(operator, params.id, why);
      return { message: `@${username} is suspended: hidden, and signed out everywhere.` };
    },
    restore: async (operator) => {
      const { username } = await desk.restore(operator, params.id);
      return { message: `@${username} is back, and can sign in again.` };
    },
    "reset-link": async (operator) => {
      const { username, url } = await desk.resetLink(operator, params.id);
      return {
        message: `With this link @${username} can set a new password, once, within 30 minutes. It ends every session.`,
        links: [url],
      };
    },
    role: async (operator, { role = "" }) => {
      const changed = await desk.setRole(operator, params.id, role);
      return { message: `@${changed.username} is now ${withArticle[changed.role]}.` };
    },
    quota: async (operator, { size = "" }) => {
      const { username, storage } = await desk.setQuota(operator, params.id, size);
      return { message: `@${username} now uses ${usageInWords(storage)}.` };
    },
  });
}

const withArticle = {
  member: "a member",
  moderator: "a moderator",
  operator: "an operator",
} as const;

export default function Person({ loaderData, actionData }: Route.ComponentProps) {
  const { account, times, storage, own, asksPassword } = loaderData;
  const timeZone = useTimeZone();
  const day = (at: number) => dateInWords(at, timeZone);
  const away = times.suspended !== null || times.leaves !== null;
  const refused = actionData && !actionData.done ? actionData : undefined;
  const typed = (change: string) => (refused?.change === change ? refused.typed : {});
  const wrong = (change: string) => (refused?.change === change ? refused.wrong : undefined);
  const form = (change: string) => ({ change, asksPassword, returned: actionData });
  return (
    <>
      <BackLink to="/operator/people">People</BackLink>
      <PageTitle>
        <bdi className="wrap-anywhere">{account.name || account.username}</bdi>
      </PageTitle>
      <div className="grid gap-6 pb-8">
        <Told returned={actionData} />
        <Section title="Account">
          <Facts
            rows={[
              ["Username", <span key="u" dir="ltr">{`@${account.username}`}</span>],
              ...(account.formerUsernames.length > 0
                ? ([
                    [
                      "Before",
                      <span key="b" dir="ltr">
                        {account.formerUsernames.map((name) => `@${name}`).join(", ")}
                      </span>,
                    ],
                  ] as [string, React.ReactNode][])
                : []),
              [
                "Email",
                <span key="e" dir="ltr">
                  {`${account.email}${account.emailVerified ? "" : " (not confirmed)"}`}
                </span>,
              ],
              ["State", stateInWords(times, day)],
              ["Role", roleNames[account.role]],
              ["Member since", day(times.joined)],
              ["Last seen", times.seen === null ? "No session" : day(times.seen)],
              ["Signs in with", account.waysIn.join(", ") || "Nothing"],
              ["Two-step sign-in", account.secondStep ? "On" : "Off"],
              ["Posts", account.posts],
              ["Followers", account.followers],
              ["Storage", usageInWords(storage)],
            ]}
          />
          {!away && (
            <Link to={`/search/${account.id}`} className="link">
              See the profile
            </Link>
          )}
        </Section>
        <Section title="What you can do">
          {away ? (
            <Disclosure
              label="Restore"
              hint="It is seen again, and can sign in. A request for deletion is taken back."
              open={refused?.change === "restore"}
            >
              <ActForm {...form("restore")} press="Restore" />
            </Disclosure>
          ) : null}
          {!own && times.suspended === null && (
            <Disclosure
              label="Suspend"
              hint="Nobody sees it or what it posted, and it is signed out everywhere."
              open={refused?.change === "suspend"}
            >
              <ActForm {...form("suspend")} press="Suspend" look="delete">
                <fieldset>
                  <legend className="mb-2 text-sm font-medium">For how long?</legend>
                  {lengths.map(([value, label]) => (
                    <label key={value} className="flex min-h-11 items-center gap-3">
                      <input
                        type="radio"
                        name="days"
                        value={value}
                        defaultChecked={value === (typed("suspend")["days"] ?? "7")}
                        className="size-5 shrink-0 accent-primary"
                      />
                      {label}
                    </label>
                  ))}
                  <FieldError id="days" error={wrong("suspend")?.["days"]} />
                </fieldset>
                <TextArea
                  name="reason"
                  label="Your reason"
                  hint="They read it, and can answer once. Your name isn't shown."
                  required
                  limit={reportLimits.words}
                  defaultValue={typed("suspend")["reason"]}
                  error={wrong("suspend")?.["reason"]}
                />
              </ActForm>
            </Disclosure>
          )}
          <Disclosure
            label="Link for a new password"
            hint="For somebody who can't sign in. Make sure of who asks, and give it to them alone."
            open={refused?.change === "reset-link"}
          >
            <ActForm {...form("reset-link")} press="Make a link" />
          </Disclosure>
          <Disclosure
            label="Role"
            hint={`${roleNames[account.role]}: ${roleHints[account.role]}`}
            open={refused?.change === "role"}
          >
            <ActForm {...form("role")} press="Save the role">
              <fieldset>
                <legend className="mb-2 text-sm font-medium">Role</legend>
                {roles.map((role) => (
                  <label key={role} className="flex min-h-11 items-center gap-3 py-1">
                    <input
                      type="radio"
                      name="role"
                      value={role}
                      defaultChecked={role === (typed("role")["role"] ?? account.role)}
                      className="size-5 shrink-0 accent-primary"
                    />
                    <span>
                      {roleNames[role]}
                      <span className="block text-sm text-muted">{roleHints[role]}</span>
                    </span>
                  </label>
                ))}
                <FieldError id="role" error={wrong("role")?.["role"]} />
              </fieldset>
            </ActForm>
          </Disclosure>
          <Disclosure
            label="Storage"
            hint={`Uses ${usageInWords(storage)}.`}
            open={refused?.change === "quota"}
          >
            <ActForm {...form("quota")} press="Save">
              <TextField
                name="size"
                label="How much it may use"
                hint='Such as 20 GB, "unlimited", or "default" for as much as everybody.'
                dir="ltr"
                autoComplete="off"
                defaultValue={
                  typed("quota")["size"] ??
                  (storage.quota === null ? "unlimited" : sizeInWords(storage.quota))
                }
                error={wrong("quota")?.["size"]}
              />
            </ActForm>
          </Disclosure>
        </Section>
      </div>
    </>
  );
}

type Times = Route.ComponentProps["loaderData"]["times"];

function stateInWords({ suspended, until, leaves }: Times, day: (at: number) => string): string {
  const states = [
    suspended !== null &&
      `Suspended since ${day(suspended)}${until === null ? ", without an end" : `, until ${day(until)}`}`,
    leaves !== null && `To be deleted on ${day(leaves)}`,
  ].filter(Boolean);
  return states.join(". ") || "Active";
}
