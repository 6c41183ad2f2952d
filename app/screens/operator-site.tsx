import * as common from "#messages/common.json";
import * as words from "#messages/operator.json";
import { OperatorForm, fieldsIn, ResultNotice } from "#app/features/operator/operator-form.tsx";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import {
  settingChoices,
  settingLabels,
  type SettingName as Name,
} from "#app/features/operator/setting-labels.ts";
import { Choices } from "#app/ui/choices.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-site";

const names = Object.keys(settingLabels) as Name[];

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  const [settings, asksPassword] = await Promise.all([
    features.dashboard.readSettings(member),
    features.identity.confirmation.asksPassword(member),
  ]);
  return { settings, asksPassword };
}

/** Unchanged values are not written: another operator may have changed them meanwhile. */
export const action = operatorAction({
  place: async ({ dashboard, operator, fields }) => {
    const texts: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const text = fields[name];
      if (text !== undefined && lines(text) !== lines(fields[`was-${name}`])) texts[name] = text;
    }
    const different = await dashboard.changeSettings(operator, texts);
    return { message: different.length === 0 ? words.nothingChanged : words.saved };
  },
});

/** A form ends its lines with two characters. */
const lines = (text = "") => text.replaceAll("\r\n", "\n").trim();

export default function OperatorSite({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, asksPassword } = loaderData;
  const field = fieldsIn(actionData, "place");
  const setting = (name: Name) => field(name, settings[name]);
  const chosen = <Each extends keyof typeof settingChoices>(name: Each) => ({
    ...setting(name),
    legend: settingLabels[name],
    choices: settingChoices[name],
  });
  return (
    <>
      <ScreenTitle>{words.about}</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        <Section title={words.nameAccessRules}>
          <OperatorForm
            form="place"
            press={common.save}
            asksPassword={asksPassword}
            returned={actionData}
          >
            {names.map((name) => (
              <input key={name} type="hidden" {...field(`was-${name}`, settings[name])} />
            ))}
            <TextField
              {...setting("site-name")}
              label={settingLabels["site-name"]}
              hint={words.siteNameHint}
            />
            <TextField
              {...setting("site-line")}
              label={settingLabels["site-line"]}
              hint={words.siteLineHint}
            />
            <Choices {...chosen("sign-up")} />
            <Choices {...chosen("new-accounts")} />
            <Choices {...chosen("explore")} />
            <TextField
              {...setting("storage-per-member")}
              label={settingLabels["storage-per-member"]}
              hint={words.storagePerMemberHint}
              dir="ltr"
              autoComplete="off"
            />
            <TextArea
              {...setting("rules")}
              label={settingLabels.rules}
              hint={words.rulesHint}
              limit={10_000}
            />
          </OperatorForm>
        </Section>
      </div>
    </>
  );
}
