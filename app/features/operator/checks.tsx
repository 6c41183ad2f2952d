import type { DoctorFinding, DoctorRound } from "#shared/operator.ts";
import { OperatorForm } from "#app/features/operator/operator-form.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { Reloading } from "#app/features/operator/reloading.tsx";
import { Disclosure, Section, StatusRow } from "#app/features/operator/section.tsx";
import { formatCount } from "#app/lib/text/counts.ts";
import { PostTime } from "#app/ui/post-time.tsx";

/** How often a page that waits for the checks asks for their result, milliseconds. */
const askEveryMs = 2000;

type Props = { round: DoctorRound | null; returned: FormResult | undefined };

const order = ["problem", "note"];
const isGood = ({ state }: DoctorFinding) => !order.includes(state);

/** What the doctor found: what is not in order first, the rest when asked. */
export function ChecksSection({ round, returned }: Props) {
  const running = round !== null && round.endedAt === null;
  const findings = round?.findings ?? [];
  const bad = findings
    .filter((finding) => !isGood(finding))
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const good = findings.filter(isGood);
  return (
    <Section id="checks" title="Checks">
      <p className="text-muted">Checks disks, database, photos, mail and backups.</p>
      <div aria-live="polite">
        {running && (
          <Reloading every={askEveryMs}>
            <p>Checking…</p>
          </Reloading>
        )}
        {round?.endedAt && (
          <p>
            Last checked <PostTime at={round.endedAt} />
          </p>
        )}
      </div>
      {bad.length > 0 && <Findings findings={bad} />}
      {good.length > 0 && (
        <Disclosure label="All other checks" hint={`${formatCount(good.length, "check")} passed`}>
          <Findings findings={good} />
        </Disclosure>
      )}
      {!running && (
        <OperatorForm
          form="checks"
          press="Run checks"
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
          <span className="font-semibold">{finding.about}</span>
          {`: ${finding.text}`}
        </StatusRow>
      ))}
    </ul>
  );
}
