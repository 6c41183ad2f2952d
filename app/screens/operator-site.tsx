import { OperatorForm, fieldsIn, ResultNotice } from "#app/features/operator/operator-form.tsx";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import { Choices } from "#app/ui/choices.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-site";

const names = [
  "site-name",
  "site-line",
  "rules",
  "sign-up",
  "new-accounts",
  "explore",
  "storage-per-member",
] as const;
type Name = (typeof names)[number];

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
    return { message: different.length === 0 ? "Nothing was different." : "Saved." };
  },
});

/** A form ends its lines with two characters. */
const lines = (text = "") => text.replaceAll("\r\n", "\n").trim();

const signUps = [
  ["open", "Everybody"],
  ["invitation", "Whoever has an invitation"],
  ["closed", "Nobody"],
] as const;
const newAccounts = [
  ["public", "Public"],
  ["private", "Private"],
] as const;
const explores = [
  ["everyone", "Everybody, visitors too"],
  ["members", "Members"],
  ["nobody", "Nobody"],
] as const;

export default function OperatorSite({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, asksPassword } = loaderData;
  const field = fieldsIn(actionData, "place");
  const setting = (name: Name) => field(name, settings[name]);
  return (
    <>
      <ScreenTitle>This place</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        <Section title="What it is called, and how it is run">
          <OperatorForm form="place" press="Save" asksPassword={asksPassword} returned={actionData}>
            {names.map((name) => (
              <input key={name} type="hidden" {...field(`was-${name}`, settings[name])} />
            ))}
            <TextField
              {...setting("site-name")}
              label="Name"
              hint="For people who haven't signed in: up to 40 characters."
            />
            <TextField
              {...setting("site-line")}
              label="One line that says what it is"
              hint="Up to 160 characters."
            />
            <Choices {...setting("sign-up")} legend="Who may sign up" choices={signUps} />
            <Choices
              {...setting("new-accounts")}
              legend="New accounts start as"
              choices={newAccounts}
            />
            <Choices
              {...setting("explore")}
              legend="Who sees recent photos of everybody"
              choices={explores}
            />
            <TextField
              {...setting("storage-per-member")}
              label="Storage for each member"
              hint='Such as 10 GB, at least 100 MB, or "unlimited".'
              dir="ltr"
              autoComplete="off"
            />
            <TextArea
              {...setting("rules")}
              label="Rules"
              hint="A rule a line, on a page of their own."
              limit={10_000}
            />
          </OperatorForm>
        </Section>
      </div>
    </>
  );
}
