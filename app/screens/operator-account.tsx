import * as common from "#messages/common.json";
import * as words from "#messages/operator.json";
import { roles, type Role } from "#shared/operator.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { formatSize } from "#shared/sizes.ts";
import { daysOf, SuspensionLength } from "#app/features/moderation/suspension-length.tsx";
import {
  FoldedForm,
  fieldsIn,
  ResultNotice,
  type FormState,
} from "#app/features/operator/operator-form.tsx";
import { AccountFacts, usageText } from "#app/features/operator/account-facts.tsx";
import { roleTexts } from "#app/features/operator/role-texts.ts";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { Choices } from "#app/ui/choices.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-account";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  const { account, storage } = await features.dashboard.account(member, params.id);
  return {
    account,
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
    return { message: fill(words.nowSuspended, { username }) };
  },
  restore: async ({ dashboard, operator, params }) => {
    const { username } = await dashboard.restore(operator, idOf(params));
    return { message: fill(words.nowBack, { username }) };
  },
  "reset-link": async ({ dashboard, operator, params }) => {
    const { username, url } = await dashboard.resetLink(operator, idOf(params));
    return {
      message: fill(words.resetLinkMade, { username }),
      links: [url],
    };
  },
  role: async ({ dashboard, operator, params, fields }) => {
    const changed = await dashboard.setRole(operator, idOf(params), fields["role"] ?? "");
    return { message: fill(roleTexts[changed.role].given, { username: changed.username }) };
  },
  quota: async ({ dashboard, operator, params, fields }) => {
    const { username, storage } = await dashboard.setQuota(
      operator,
      idOf(params),
      fields["size"] ?? "",
    );
    return { message: fill(words.nowUses, { username, usage: usageText(storage) }) };
  },
});

const idOf = ({ id = "" }: Record<string, string | undefined>) => id;

type Loaded = Route.ComponentProps["loaderData"];

export default function OperatorAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { account, storage, own, asksPassword } = loaderData;
  const away = account.suspendedAt !== null || account.deletionDueAt !== null;
  const acting = { asksPassword, returned: actionData };
  return (
    <>
      <BackLink to="/operator/people">{words.people}</BackLink>
      <ScreenTitle title={words.people}>
        <bdi className="wrap-anywhere">{account.name || account.username}</bdi>
      </ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        <Section title={words.account}>
          <AccountFacts {...loaderData} />
          {!away && <TextLink to={`/search/${account.id}`}>{words.seeTheProfile}</TextLink>}
        </Section>
        <Section title={words.whatYouCanDo}>
          <div className="-mt-3 -mb-3">
            {away && (
              <FoldedForm
                {...acting}
                form="restore"
                label={words.restore}
                hint={words.restoreHint}
                press={words.restore}
              />
            )}
            {!own && account.suspendedAt === null && <SuspendForm {...acting} />}
            <FoldedForm
              {...acting}
              form="reset-link"
              label={words.linkForPassword}
              hint={words.linkForPasswordHint}
              press={words.createLink}
            />
            <RoleForm {...acting} role={account.role} />
            <QuotaForm {...acting} storage={storage} />
          </div>
        </Section>
      </div>
    </>
  );
}

function SuspendForm(acting: FormState) {
  const field = fieldsIn(acting.returned, "suspend");
  return (
    <FoldedForm
      {...acting}
      form="suspend"
      label={words.suspend}
      hint={words.suspendHint}
      press={words.suspend}
      look="delete"
    >
      <SuspensionLength legend={words.howLong} {...field("days")} />
      <TextArea
        {...field("reason")}
        label={words.yourReason}
        hint={words.yourReasonHint}
        required
        limit={reportLimits.words}
      />
    </FoldedForm>
  );
}

function RoleForm({ role, ...acting }: FormState & { role: Role }) {
  const field = fieldsIn(acting.returned, "role");
  const { name, hint } = roleTexts[role];
  return (
    <FoldedForm
      {...acting}
      form="role"
      label={words.changeRole}
      hint={fill(words.roleAndHint, { role: name, hint })}
      press={words.saveRole}
    >
      <Choices
        {...field("role", role)}
        legend={words.role}
        choices={roles.map((each) => [each, roleTexts[each].name, roleTexts[each].hint])}
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
      label={words.changeLimit}
      hint={fill(words.uses, { usage: usageText(storage) })}
      press={common.save}
    >
      <TextField
        {...field("size", quota === null ? "unlimited" : formatSize(quota))}
        label={words.limit}
        hint={words.limitHint}
        dir="ltr"
        autoComplete="off"
      />
    </FoldedForm>
  );
}
