import * as words from "#messages/moderation.json";
import { appContext } from "#app/lib/context.server.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/rules";

/** The operator's rules for everybody, one a line. */
export async function loader({ context }: Route.LoaderArgs) {
  const { features } = context.get(appContext);
  const rules = await features.operatorSettings.rules();
  // Those that a new site begins with are translated; an operator's own stay as they are.
  return { rules: rules.map((rule) => inLanguage(rule)) };
}

export default function Rules({ loaderData: { rules } }: Route.ComponentProps) {
  const viewer = useRootData()?.viewer;
  return (
    <>
      <ScreenTitle>{words.houseRules}</ScreenTitle>
      <div className="mx-4 grid gap-4 rounded-box border border-line bg-base-100 p-6 md:mx-0">
        <ol className="grid gap-4">
          {rules.map((rule, at) => (
            <li key={rule} className="flex gap-4">
              <span
                aria-hidden="true"
                className="size-6 shrink-0 font-wordmark text-2xl text-primary"
              >
                {at + 1}
              </span>
              <span dir="auto" className="min-w-0 flex-1 self-center text-pretty wrap-anywhere">
                {rule}
              </span>
            </li>
          ))}
        </ol>
        <p className="border-t border-line pt-4 text-sm text-pretty text-muted">
          {viewer ? words.rulesForMembers : words.rulesForVisitors}
        </p>
      </div>
    </>
  );
}
