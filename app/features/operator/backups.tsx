import * as words from "#messages/operator.json";
import type { Need } from "#shared/operator.ts";
import { OperatorForm } from "#app/features/operator/operator-form.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { Disclosure, Facts, Section, StatusRow } from "#app/features/operator/section.tsx";
import type { PageContext } from "#app/lib/context.server.ts";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { sizeText } from "#app/lib/text/sizes.ts";
import { Polling } from "#app/ui/polling.tsx";
import { PostTime } from "#app/ui/post-time.tsx";

type Backups = Awaited<ReturnType<PageContext["status"]["read"]>>["backups"];
type Backup = NonNullable<Backups>["list"][number];

/** How often a page that waits for a backup asks for it, milliseconds. */
const askEveryMs = 5000;

type Props = {
  backups: Backups;
  /** what of it the top of the page says already */
  needs: readonly Need[];
  /** how far the continuous backup reaches, epoch ms; null without one */
  reachesUntil: number | null;
  returned: FormResult | undefined;
};

/** The last backup, how far it reaches and how it was tested; earlier ones, and how to restore, when asked. */
export function BackupsSection({ backups, needs, reachesUntil, returned }: Props) {
  // That they are off, and how to turn them on, is what needs the operator.
  if (backups === null) return null;
  const { list, trouble, failure, isMaking, restore } = backups;
  const [last, ...earlier] = list;
  // Its process begins a moment later.
  const asked = returned?.form === "backup" && !("problem" in returned);
  return (
    <Section id="backups" title={words.backups}>
      {trouble && needs.every(({ text }) => text !== trouble) && (
        <p dir="auto" className="font-medium text-danger">
          {trouble}
        </p>
      )}
      {!trouble && failure && (
        <p className="font-medium text-danger">
          {rich(words.lastTryTookNone, { reason: <bdi>{failure}</bdi> })}
        </p>
      )}
      {!trouble && !last && !isMaking && <p className="text-muted">{words.noBackupYet}</p>}
      {last && <Facts facts={factsOf(backups, reachesUntil)} />}
      {last && (
        <ul>
          <BackupRow backup={last} />
        </ul>
      )}
      {earlier.length > 0 && (
        <Disclosure label={words.earlierBackups} hint={String(earlier.length)}>
          <ul>
            {earlier.map((backup) => (
              <BackupRow key={backup.name} backup={backup} />
            ))}
          </ul>
        </Disclosure>
      )}
      {last && (
        <Disclosure label={words.howToRestore} hint={words.howToRestoreHint}>
          <HowToRestore commands={restore} reach={reachesUntil} />
        </Disclosure>
      )}
      <div aria-live="polite">
        {(isMaking || asked) && (
          <Polling every={askEveryMs}>{isMaking && <p>{words.beingMade}</p>}</Polling>
        )}
      </div>
      {!isMaking && (
        <OperatorForm
          form="backup"
          press={words.backUpNow}
          look="outline"
          asksPassword={false}
          returned={returned}
        />
      )}
    </Section>
  );
}

/** When the last good one was taken, how far it reaches, and how long it took to restore it for a test. */
function factsOf({ list, continuousDrill }: NonNullable<Backups>, reachesUntil: number | null) {
  const good = list.find(({ drill }) => drill?.faults.length === 0);
  const drills = [continuousDrill, ...list.map(({ drill }) => drill)].filter((drill) => !!drill);
  const [tested] = drills.toSorted((one, other) => other.at - one.at);
  const coverage = tested?.coverage;
  const restoredAt = coverage ? Date.parse(coverage.restoredAt ?? "") : tested?.at;
  const restored = restoredAt ? <PostTime key="tested" at={restoredAt} /> : null;
  const reach = Math.max(reachesUntil ?? 0, ...list.map(({ takenAt }) => takenAt));
  return [
    [words.lastGood, good ? <PostTime key="good" at={good.takenAt} /> : words.noneYet],
    [words.everythingUntil, <PostTime key="reach" at={reach} />],
    [
      words.lastRestored,
      coverage || !restored
        ? (restored ?? words.notYet)
        : rich(words.restoredIn, { time: restored, seconds: tested?.seconds }),
    ],
    // What is too large for a day is read in parts.
    ...(coverage
      ? [
          [
            words.readWithinMonth,
            fill(words.partsOf, { read: coverage.read, all: coverage.of }),
          ] as const,
        ]
      : []),
  ] as const;
}

/** An option of the command line, the same in every language. */
const untilOption = (at: number) => `--to ${new Date(at).toISOString().slice(0, 19)}Z`;

/** `reach`: the newest moment of a continuous backup; null without one. */
function HowToRestore({ commands, reach }: { commands: string[]; reach: number | null }) {
  return (
    <div className="grid gap-3">
      <p>{words.stopAndType}</p>
      <pre
        dir="ltr"
        className="rounded-field bg-base-200 p-3 text-sm wrap-anywhere whitespace-pre-wrap select-all"
      >
        {commands.join("\n")}
      </pre>
      {reach !== null && (
        <p>
          {rich(words.earlierMoment, {
            option: (
              <code dir="ltr" className="text-sm">
                {untilOption(reach)}
              </code>
            ),
          })}
        </p>
      )}
      <p className="text-muted">{words.afterRestoring}</p>
    </div>
  );
}

function BackupRow({ backup: { takenAt, bytes, pictures, drill } }: { backup: Backup }) {
  const good = drill !== null && drill.faults.length === 0;
  return (
    <StatusRow good={good}>
      <p className="font-medium">
        <PostTime at={takenAt} />
      </p>
      <p className="text-sm text-muted">
        {drill === null
          ? words.notTestedYet
          : good
            ? fill(words.testedGood, { seconds: drill.seconds })
            : words.testedWrong}
        {" · "}
        {counted(words.backupSize, pictures.count, {
          data: sizeText(bytes),
          size: sizeText(pictures.bytes),
        })}
      </p>
      {drill?.faults.map((fault) => (
        <p key={fault} dir="auto" className="text-sm text-danger">
          {fault}
        </p>
      ))}
    </StatusRow>
  );
}
