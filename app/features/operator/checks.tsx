import * as words from "#messages/operator.json";
import type { DoctorFinding, DoctorRound, Need } from "#shared/operator.ts";
import { OperatorForm } from "#app/features/operator/operator-form.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { Disclosure, Section, StatusRow } from "#app/features/operator/section.tsx";
import { counted, rich } from "#app/lib/text/messages.tsx";
import { Polling } from "#app/ui/polling.tsx";
import { PostTime } from "#app/ui/post-time.tsx";

/** How often a page that waits for the checks asks for their result, milliseconds. */
const askEveryMs = 2000;

type Props = {
  round: DoctorRound | null;
  /** what of it the top of the page says already */
  needs: readonly Need[];
  returned: FormResult | undefined;
};

const order = ["problem", "note"];
const isGood = ({ state }: DoctorFinding) => !order.includes(state);

/** What the doctor found: what is not in order first, the rest when asked. */
export function ChecksSection({ round, needs, returned }: Props) {
  const running = round !== null && round.endedAt === null;
  const findings = round?.findings ?? [];
  const said = needs.filter(({ about }) => about === "checks").map(({ text }) => text);
  const bad = findings
    .filter((finding) => !isGood(finding) && !said.includes(finding.text))
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const good = findings.filter(isGood);
  return (
    <Section id="checks" title={words.checks}>
      <p className="text-muted">{words.whatIsChecked}</p>
      <div aria-live="polite">
        {running && (
          <Polling every={askEveryMs}>
            <p>{words.checking}</p>
          </Polling>
        )}
        {round?.endedAt && (
          <p>{rich(words.lastChecked, { time: <PostTime at={round.endedAt} /> })}</p>
        )}
      </div>
      {said.length > 0 && (
        <p>
          <a href="#needs" className="link">
            {words.whatFailed}
          </a>
        </p>
      )}
      {bad.length > 0 && <Findings findings={bad} />}
      {good.length > 0 && (
        <Disclosure label={words.allOtherChecks} hint={counted(words.checksPassed, good.length)}>
          <Findings findings={good} />
        </Disclosure>
      )}
      {!running && (
        <OperatorForm
          form="checks"
          press={words.runChecks}
          look="outline"
          asksPassword={false}
          returned={returned}
        />
      )}
    </Section>
  );
}

function Findings({ findings }: { findings: readonly DoctorFinding[] }) {
  return (
    <ul>
      {findings.map((finding) => (
        <StatusRow key={`${finding.about} ${finding.text}`} good={isGood(finding)}>
          <p dir="auto">
            {rich(words.labelAndValue, {
              label: <span className="font-semibold">{finding.about}</span>,
              value: finding.text,
            })}
          </p>
        </StatusRow>
      ))}
    </ul>
  );
}
