import { note, ok, type Finding } from "#server/platform/admin/doctor/finding.ts";
import type { Config } from "#server/config.ts";
import { diskUsage } from "#server/platform/disk-space.ts";
import { findStoredPrograms } from "#server/platform/db/stored-programs.ts";
import { clustersOf, oldClusters } from "#server/platform/db/postgres-cluster.ts";
import { formatSize } from "#shared/sizes.ts";

/** What the next upgrade of the embedded PostgreSQL needs, and what the last one left behind. */
export async function checkPostgres({
  dataDir,
  databaseUrl,
}: Pick<Config, "dataDir" | "databaseUrl">): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { major, folder } of oldClusters(dataDir)) {
    const size = formatSize(await diskUsage(folder));
    findings.push(
      note(
        "PostgreSQL",
        `${folder} is the database of before the upgrade from ${major}, ${size}. When all is well, remove it: npm run admin -- old-database --remove`,
      ),
    );
  }
  const used = clustersOf(dataDir).find(({ folder }) => folder.endsWith("data"));
  if (!used || databaseUrl !== null) return findings;
  const programs = findStoredPrograms(dataDir, used.major);
  findings.push(
    programs
      ? ok("PostgreSQL", `The programs of ${programs.version} are kept beside its data.`)
      : note(
          "PostgreSQL",
          `The programs of version ${used.major} aren't kept beside its data, where the next major version needs them: restart Postcard, and look for "kept" in its log.`,
        ),
  );
  return findings;
}
