import { Link } from "react-router";
import type { Role } from "#shared/operator.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { formatSize, formatUsage } from "#shared/sizes.ts";
import { daysOf, SuspensionLength } from "#app/features/moderation/suspension-length.tsx";
import {
  FoldedForm,
  fieldsIn,
  ResultNotice,
  type FormState,
} from "#app/features/operator/operator-form.tsx";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Facts, Section } from "#app/features/operator/section.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Choices } from "#app/ui/choices.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-account";

const roles = {
  member: ["Member", "No special rights."],
  moderator: ["Moderator", "Decides on reports."],
  operator: ["Operator", "Decides on reports, and can do everything on these pages."],
} as const;

const ms = (date: Date | null) => date?.getTime() ?? null;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  const { account, storage } = await features.dashboard.account(member, params.id);
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

export const action = operatorAction({
  suspend: async ({ dashboard, operator, params, fields: { reason = "", days } }) => {
    const { username } = await dashboard.suspend(operator, idOf(params), {
      reason,
      days: daysOf(days),
    });
    return { message: `@${username} is suspended: hidden, and signed out everywhere.` };
  },
  restore: async ({ dashboard, operator, params }) => {
    const { username } = await dashboard.restore(operator, idOf(params));
    return { message: `@${username} is back, and can sign in again.` };
  },
  "reset-link": async ({ dashboard, operator, params }) => {
    const { username, url } = await dashboard.resetLink(operator, idOf(params));
    return {
      message: `With this link @${username} can choose a new password. It works once, for 30 minutes, and signs them out everywhere.`,
      links: [url],
    };
  },
  role: async ({ dashboard, operator, params, fields }) => {
    const changed = await dashboard.setRole(operator, idOf(params), fields["role"] ?? "");
    return { message: `@${changed.username} is now ${withArticle[changed.role]}.` };
  },
  quota: async ({ dashboard, operator, params, fields }) => {
    const { username, storage } = await dashboard.setQuota(
      operator,
      idOf(params),
      fields["size"] ?? "",
    );
    return { message: `@${username} now uses ${formatUsage(storage)}.` };
  },
});

const idOf = ({ id = "" }: Record<string, string | undefined>) => id;

const withArticle = {
  member: "a member",
  moderator: "a moderator",
  operator: "an operator",
} as const;

type Loaded = Route.ComponentProps["loaderData"];

export default function OperatorAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { account, times, storage, own, asksPassword } = loaderData;
  const away = times.suspended !== null || times.leaves !== null;
  const acting = { asksPassword, returned: actionData };
  return (
    <>
      <BackLink to="/operator/people">People</BackLink>
      <ScreenTitle title="People">
        <bdi className="wrap-anywhere">{account.name || account.username}</bdi>
      </ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        <Section title="Account">
          <AccountFacts {...loaderData} />
          {!away && (
            <Link to={`/search/${account.id}`} className="link">
              See the profile
            </Link>
          )}
        </Section>
        <Section title="What you can do">
          <div className="-mt-3 -mb-3">
            {away && (
              <FoldedForm
                {...acting}
                form="restore"
                label="Restore"
                hint="They are visible again and can sign in. A scheduled deletion is cancelled."
                press="Restore"
              />
            )}
            {!own && times.suspended === null && <SuspendForm {...acting} />}
            <FoldedForm
              {...acting}
              form="reset-link"
              label="Link for a new password"
              hint="For someone who can't sign in. Make sure it's really them."
              press="Create link"
            />
            <RoleForm {...acting} role={account.role} />
            <QuotaForm {...acting} storage={storage} />
          </div>
        </Section>
      </div>
    </>
  );
}

const capital = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

function AccountFacts({ account, times, storage }: Pick<Loaded, "account" | "times" | "storage">) {
  const timeZone = useTimeZone();
  const day = (at: number) => formatDate(at, timeZone);
  return (
    <Facts
      facts={[
        ["Username", `@${account.username}`, "ltr"],
        ["Earlier usernames", account.formerUsernames.map((name) => `@${name}`).join(", "), "ltr"],
        ["Email", `${account.email}${account.emailVerified ? "" : " (not confirmed)"}`, "ltr"],
        ["Status", accountStateText(times, day)],
        ["Role", roles[account.role][0]],
        ["Member since", day(times.joined)],
        ["Last seen", times.seen === null ? "Not signed in" : day(times.seen)],
        ["Signs in with", capital(account.waysIn.join(", ")) || "None"],
        ["Two-step sign-in", account.secondStep ? "On" : "Off"],
        ["Posts", account.posts],
        ["Followers", account.followers],
        ["Storage", formatUsage(storage)],
      ]}
    />
  );
}

function accountStateText(
  { suspended, until, leaves }: Loaded["times"],
  day: (at: number) => string,
): string {
  const states = [
    suspended !== null &&
      `Suspended since ${day(suspended)}${until === null ? ", no end date" : `, until ${day(until)}`}`,
    leaves !== null && `To be deleted on ${day(leaves)}`,
  ].filter(Boolean);
  return states.join(". ") || "Active";
}

function SuspendForm(acting: FormState) {
  const field = fieldsIn(acting.returned, "suspend");
  return (
    <FoldedForm
      {...acting}
      form="suspend"
      label="Suspend"
      hint="No one can see them or their posts, and they are signed out everywhere."
      press="Suspend"
      look="delete"
    >
      <SuspensionLength legend="For how long?" {...field("days")} />
      <TextArea
        {...field("reason")}
        label="Your reason"
        hint="They can read it and answer once. Your name isn't shown."
        required
        limit={reportLimits.words}
      />
    </FoldedForm>
  );
}

function RoleForm({ role, ...acting }: FormState & { role: Role }) {
  const field = fieldsIn(acting.returned, "role");
  const [name, hint] = roles[role];
  return (
    <FoldedForm {...acting} form="role" label="Role" hint={`${name}: ${hint}`} press="Save role">
      <Choices
        {...field("role", role)}
        legend="Role"
        choices={Object.entries(roles).map(([each, words]) => [each, ...words])}
      />
    </FoldedForm>
  );
}

function QuotaForm({ storage, ...acting }: FormState & Pick<Loaded, "storage">) {
  const field = fieldsIn(acting.returned, "quota");
  const { quota } = storage;
  return (
    <FoldedForm
      {...acting}
      form="quota"
      label="Storage"
      hint={`Uses ${formatUsage(storage)}.`}
      press="Save"
    >
      <TextField
        {...field("size", quota === null ? "unlimited" : formatSize(quota))}
        label="Limit"
        hint='Such as 20 GB, "unlimited", or "default" for the usual limit.'
        dir="ltr"
        autoComplete="off"
      />
    </FoldedForm>
  );
}
