import { formatSize } from "#shared/sizes.ts";
import { Disclosure, Section, StatusRow } from "#app/features/operator/section.tsx";
import type { PageContext } from "#app/lib/context.server.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { PostTime } from "#app/ui/post-time.tsx";

type Backups = Awaited<ReturnType<PageContext["status"]["read"]>>["backups"];
type Backup = NonNullable<Backups>["list"][number];

/** The last backup, and the ones before it when asked. */
export function BackupsSection({ backups }: { backups: Backups }) {
  const [last, ...earlier] = backups?.list ?? [];
  return (
    <Section id="backups" title="Backups">
      {backups === null && (
        <p className="text-muted">
          Automatic backups are off. Set BACKUP_DIR to a folder on another disk and restart.
        </p>
      )}
      {backups?.trouble && <p className="font-medium text-danger">{backups.trouble}</p>}
      {backups && !backups.trouble && !last && (
        <p className="text-muted">None yet. The first one is made soon after a start.</p>
      )}
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
    </Section>
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
