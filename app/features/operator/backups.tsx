import { Fragment } from "react";
import { formatSize } from "#shared/sizes.ts";
import { OperatorForm } from "#app/features/operator/operator-form.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { Reloading } from "#app/features/operator/reloading.tsx";
import { Disclosure, Facts, Section, StatusRow } from "#app/features/operator/section.tsx";
import type { PageContext } from "#app/lib/context.server.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { PostTime } from "#app/ui/post-time.tsx";

type Backups = Awaited<ReturnType<PageContext["status"]["read"]>>["backups"];
type Backup = NonNullable<Backups>["list"][number];

/** How often a page that waits for a backup asks for it, milliseconds. */
const askEveryMs = 5000;

type Props = {
  backups: Backups;
  /** how far the continuous backup reaches, epoch ms; null without one */
  reachesUntil: number | null;
  returned: FormResult | undefined;
};

/** The last backup, how far it reaches and how it was tested; earlier ones, and how to restore, when asked. */
export function BackupsSection({ backups, reachesUntil, returned }: Props) {
  if (backups === null) {
    return (
      <Section id="backups" title="Backups">
        <p className="text-muted">
          Automatic backups are off. Set BACKUP_DIR to a folder on another disk, or to a bucket, and
          restart.
        </p>
      </Section>
    );
  }
  const { list, trouble, failure, isMaking, restore } = backups;
  const [last, ...earlier] = list;
  // Its process begins a moment later.
  const asked = returned?.form === "backup" && !("problem" in returned);
  return (
    <Section id="backups" title="Backups">
      {trouble && <p className="font-medium text-danger">{trouble}</p>}
      {!trouble && failure && (
        <p className="font-medium text-danger">{`The last try took none: ${failure}`}</p>
      )}
      {!trouble && !last && !isMaking && (
        <p className="text-muted">None yet. The first one is made soon after a start.</p>
      )}
      {last && <Facts facts={factsOf(backups, reachesUntil)} />}
      {last && (
        <ul>
          <BackupRow backup={last} />
        </ul>
      )}
      {earlier.length > 0 && (
        <Disclosure label="Earlier backups" hint={String(earlier.length)}>
          <ul>
            {earlier.map((backup) => (
              <BackupRow key={backup.name} backup={backup} />
            ))}
          </ul>
        </Disclosure>
      )}
      {last && (
        <Disclosure label="How to restore" hint="What to type on the server">
          <HowToRestore commands={restore} reach={reachesUntil} />
        </Disclosure>
      )}
      <div aria-live="polite">
        {(isMaking || asked) && (
          <Reloading every={askEveryMs}>{isMaking && <p>A backup is being made…</p>}</Reloading>
        )}
      </div>
      {!isMaking && (
        <OperatorForm
          form="backup"
          press="Back up now"
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
  const reach = Math.max(reachesUntil ?? 0, ...list.map(({ takenAt }) => takenAt));
  return [
    ["Last good backup", good ? <PostTime key="good" at={good.takenAt} /> : "None yet"],
    ["Everything is in it until", <PostTime key="reach" at={reach} />],
    [
      "Last restored as a test",
      restoredAt ? (
        <Fragment key="tested">
          <PostTime at={restoredAt} />
          {!coverage && `, in ${tested?.seconds} s`}
        </Fragment>
      ) : (
        "Not yet"
      ),
    ],
    // What is too large for a day is read in parts.
    ...(coverage
      ? [["Read within a month", `${coverage.read} of ${coverage.of} parts`] as const]
      : []),
  ] as const;
}

/** `reach`: the newest moment of a continuous backup; null without one. */
function HowToRestore({ commands, reach }: { commands: string[]; reach: number | null }) {
  return (
    <div className="grid gap-3">
      <p>Stop Postcard, then type:</p>
      <pre
        dir="ltr"
        className="rounded-field bg-base-200 p-3 text-sm wrap-anywhere whitespace-pre-wrap select-all"
      >
        {commands.join("\n")}
      </pre>
      {reach !== null && (
        <p>
          For an earlier moment, add{" "}
          <code dir="ltr" className="text-sm">
            {`--to ${new Date(reach).toISOString().slice(0, 19)}Z`}
          </code>{" "}
          to the last line, with the time you want.
        </p>
      )}
      <p className="text-muted">
        Start Postcard again when it's done. Accounts that were deleted stay deleted. With a
        DATABASE_URL, set it to an empty database first.
      </p>
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
          ? "Not tested yet"
          : good
            ? `Tested in ${drill.seconds} s, all good`
            : "Tested, and something is wrong"}
        {` · ${formatSize(bytes)} of data, ${formatCount(pictures.count, "photo")} (${formatSize(pictures.bytes)})`}
      </p>
      {drill?.faults.map((fault) => (
        <p key={fault} className="text-sm text-danger">
          {fault}
        </p>
      ))}
    </StatusRow>
  );
}
