import type { ReactNode } from "react";
import * as common from "#messages/common.json";
import * as words from "#messages/operator.json";
import type { Need } from "#shared/operator.ts";
import { OperatorForm } from "#app/features/operator/operator-form.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { sizeText } from "#app/lib/text/sizes.ts";
import { linkTo } from "#app/ui/text-link.tsx";
import { CheckCircleIcon, WarningCircleIcon } from "#app/ui/icons.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

type Props = { needs: readonly Need[]; returned: FormResult | undefined };

/** Whether all is well; if not, what needs the operator, with a button for each. */
export function Needs({ needs, returned }: Props) {
  const well = needs.length === 0;
  const StateIcon = well ? CheckCircleIcon : WarningCircleIcon;
  return (
    <section aria-labelledby="needs" className="mx-4 overflow-hidden card md:mx-0">
      <div className="airmail h-2" />
      <div className="flex items-center gap-4 p-4">
        <StateIcon
          weight="fill"
          className={`size-10 shrink-0 ${well ? "text-primary" : "text-danger"}`}
          aria-hidden
        />
        <div className="min-w-0 grow">
          <h2 id="needs" className="scroll-mt-20 font-wordmark text-3xl text-balance">
            {well ? words.allWell : counted(words.needYou, needs.length)}
          </h2>
          {well && <p className="text-muted">{words.nothingToDo}</p>}
        </div>
        <Stamp className="w-12 shrink-0 rotate-3" />
      </div>
      {!well && (
        <ul>
          {needs.map((need) => (
            <li key={`${need.about} ${need.text}`} className="border-t border-line p-4">
              <NeedRow need={need} returned={returned} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What has a number the page says itself. */
function textOf({ about, text, amount }: Need): string {
  if (about === "backups-off") return words.backupsOff;
  if (about === "mail-off") return words.mailOff;
  if (amount === null) return text;
  if (about === "disk") return fill(words.diskLow, { size: sizeText(amount) });
  return counted(about === "late" ? words.jobsLate : words.jobsFailed, amount);
}

const row = "flex flex-wrap items-center gap-x-4 gap-y-2";

const button = "btn btn-outline border-line";

const exampleOfSmtpUrl = "smtps://name:password@smtp.example.org";

type RowProps = { need: Need; returned: FormResult | undefined };

function NeedRow({ need, returned }: RowProps) {
  switch (need.about) {
    case "backups-off":
      return (
        <HowTo need={need} label={words.turnOn}>
          {words.howToBackUp}
        </HowTo>
      );
    case "mail-off":
      return (
        <HowTo need={need} label={words.setUp}>
          {rich(words.howToMail, {
            address: <span dir="ltr">{exampleOfSmtpUrl}</span>,
            people: linkTo("/operator/people"),
          })}
        </HowTo>
      );
    default:
      return (
        <div className={row}>
          <Said need={need} />
          <Press about={need.about} returned={returned} />
        </div>
      );
  }
}

function Said({ need }: { need: Need }) {
  const { since } = need;
  return (
    <div className="w-60 min-w-0 grow wrap-anywhere">
      <p dir="auto" className="font-medium">
        {textOf(need)}
      </p>
      {since !== null && (
        <p className="text-sm text-muted">{rich(words.since, { time: <PostTime at={since} /> })}</p>
      )}
    </div>
  );
}

function Press({ about, returned }: Pick<Need, "about"> & Pick<RowProps, "returned">) {
  if (about === "disk" || about === "backups") {
    return (
      <a href={about === "disk" ? "#storage" : "#backups"} className={button}>
        {about === "disk" ? words.seeStorage : words.seeBackups}
      </a>
    );
  }
  const [form, press] =
    about === "jobs"
      ? (["retry", common.tryAgain] as const)
      : (["checks", words.runChecks] as const);
  return (
    <OperatorForm
      form={form}
      press={press}
      look="outline"
      asksPassword={false}
      returned={about === "jobs" ? returned : undefined}
    />
  );
}

/** What to do at the machine itself, opened by the button; the whole row opens it. */
function HowTo({ need, label, children }: { need: Need; label: string; children: ReactNode }) {
  return (
    <details>
      <summary className={`cursor-pointer list-none ${row}`}>
        <span className="w-60 min-w-0 grow font-medium">{textOf(need)}</span>
        <span className={button}>{label}</span>
      </summary>
      <p className="pt-3 text-pretty text-muted wrap-anywhere">{children}</p>
    </details>
  );
}
