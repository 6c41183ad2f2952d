import { ActForm, Told } from "#app/features/operator/act-form.tsx";
import { act, requireOperator } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage } from "#app/lib/refusals.server.ts";
import { FieldError } from "#app/ui/field.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-place.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("This place") }];

const names = [
  "site-name",
  "site-line",
  "rules",
  "sign-up",
  "explore",
  "storage-per-member",
] as const;

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireOperator({ viewer });
  const [settings, asksPassword] = await Promise.all([
    orRefusalPage(features.desk.readSettings(member)),
    features.identity.confirmation.asksPassword(member),
  ]);
  return { settings, asksPassword };
}

/** What was left as it was is not written: somebody else may have changed it meanwhile. */
export async function action({ request, context }: Route.ActionArgs) {
  const { features, ...rest } = context.get(appContext);
  return act({ features, ...rest }, request, {
    place: async (operator, fields) => {
      const texts: Partial<Record<(typeof names)[number], string>> = {};
      for (const name of names) {
        const text = fields[name];
        if (text !== undefined && lines(text) !== lines(fields[`was-${name}`])) texts[name] = text;
      }
      const different = await features.desk.changeSettings(operator, texts);
      return { message: different.length === 0 ? "Nothing was different." : "Saved." };
    },
  });
}

/** A form ends its lines by two characters. */
const lines = (text = "") => text.replaceAll("\r\n", "\n").trim();

const signUps = [
  ["open", "Everybody"],
  ["invitation", "Whoever has an invitation"],
  ["closed", "Nobody"],
] as const;
const explores = [
  ["everyone", "Everybody, visitors too"],
  ["members", "Members"],
  ["nobody", "Nobody"],
] as const;

export default function Place({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, asksPassword } = loaderData;
  const refused = actionData && !actionData.done ? actionData : undefined;
  const value = (name: (typeof names)[number]) => refused?.typed[name] ?? settings[name];
  const wrong = refused?.wrong;
  return (
    <>
      <PageTitle>This place</PageTitle>
      <div className="grid gap-6 pb-8">
        <Told returned={actionData} />
        <Section title="What it is called, and how it is run">
          <ActForm change="place" press="Save" asksPassword={asksPassword} returned={actionData}>
            {names.map((name) => (
              <input
                key={name}
                type="hidden"
                name={`was-${name}`}
                value={refused?.typed[`was-${name}`] ?? settings[name]}
              />
            ))}
            <TextField
              name="site-name"
              label="Name"
              hint="For people who haven't signed in: up to 40 characters."
              defaultValue={value("site-name")}
              error={wrong?.["site-name"]}
            />
            <TextField
              name="site-line"
              label="One line that says what it is"
              hint="Up to 160 characters."
              defaultValue={value("site-line")}
              error={wrong?.["site-line"]}
            />
            <Choice
              name="sign-up"
              legend="Who may sign up"
              options={signUps}
              chosen={value("sign-up")}
              error={wrong?.["sign-up"]}
            />
            <Choice
              name="explore"
              legend="Who sees recent photos of everybody"
              options={explores}
              chosen={value("explore")}
              error={wrong?.["explore"]}
            />
            <TextField
              name="storage-per-member"
              label="Storage for each member"
              hint='Such as 10 GB, at least 100 MB, or "unlimited".'
              dir="ltr"
              autoComplete="off"
              defaultValue={value("storage-per-member")}
              error={wrong?.["storage-per-member"]}
            />
            <TextArea
              name="rules"
              label="Rules"
              hint="A rule a line, on a page of their own."
              limit={10_000}
              defaultValue={value("rules")}
              error={wrong?.["rules"]}
            />
          </ActForm>
        </Section>
      </div>
    </>
  );
}

type ChoiceProps = {
  name: string;
  legend: string;
  options: readonly (readonly [string, string])[];
  chosen: string;
  error: string | undefined;
};

function Choice({ name, legend, options, chosen, error }: ChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name={name}
            value={value}
            defaultChecked={value === chosen}
            className="size-5 shrink-0 accent-primary"
          />
          {label}
        </label>
      ))}
      <FieldError id={name} error={error} />
    </fieldset>
  );
}
