import { checkAddresses } from "#server/platform/admin/doctor/addresses.ts";
import { checkBackups } from "#server/platform/admin/doctor/backups.ts";
import { createDoctorPass } from "#server/platform/admin/doctor/doctor-pass.ts";
import type { Check } from "#server/platform/admin/doctor/database.ts";
import { checkMachine } from "#server/platform/admin/doctor/machine.ts";
import { checkMail } from "#server/platform/admin/doctor/mail.ts";
import { problem, type Finding } from "#server/platform/admin/doctor/finding.ts";
import { checkPostgres } from "#server/platform/admin/doctor/postgres.ts";
import { checkReachability } from "#server/platform/admin/doctor/reachability.ts";
import { withInstallation } from "#server/platform/admin/with-installation.ts";
import { printLine, printable } from "#server/platform/admin/print.ts";
import type { Options } from "#server/platform/admin/command-line.ts";
import type { Config } from "#server/config.ts";
import type { Secrets } from "#server/platform/data-dir.ts";

/** How the installation is opened, and the checks that run in it, in this order. */
export type Examined<Installation> = {
  open: (config: Config) => Promise<Installation>;
  checks: readonly Check<Installation>[];
};

/**
 * Checks everything an installation depends on, and says for each what it found and what to do. A check that
 * fails to run is a finding as well: nothing ends the round. Exit code 1 if a problem is left.
 */
export function doctor<Installation extends { secrets: Secrets; close: () => Promise<void> }>(
  options: Options,
  { open, checks }: Examined<Installation>,
) {
  const fix = options["fix"] === true;
  return async (config: Config): Promise<number> => {
    const findings: Finding[] = [];
    const report = (found: Finding[]) => {
      findings.push(...found);
      if (!options["json"]) for (const finding of found) printLine(inLine(finding));
    };
    report(await orProblem("Machine", () => checkMachine(config, fix)));
    report(await orProblem("PostgreSQL", () => checkPostgres(config)));
    report(await orProblem("Database", () => checkAddresses(config)));
    report(await orProblem("Backups", () => checkBackups(config)));
    report(await orProblem("Mail", () => checkMail(config)));
    report(
      await orProblem("Installation", () =>
        withInstallation(
          () => open(config),
          async (installation) => {
            report(
              await orProblem("Installation", () => checkInstallation(checks, installation, fix)),
            );
            const pass = createDoctorPass({ secret: installation.secrets.authSecret }).issue();
            return orProblem("Server", () => checkReachability(config, pass));
          },
        ),
      ),
    );
    const problems = findings.filter(({ state }) => state === "problem").length;
    if (options["json"]) printLine(JSON.stringify({ findings }, null, 2));
    else
      printLine(
        problems === 0 ? "No problems." : `${problems} ${problems === 1 ? "problem" : "problems"}.`,
      );
    return problems === 0 ? 0 : 1;
  };
}

const inLine = ({ state, about, text }: Finding) =>
  `${state.padEnd(8)} ${about}: ${printable(text)}`;

/** Turns an error into a problem: what cannot be checked is not in order. */
async function orProblem(about: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(about, (error as Error).message.split("\n", 1)[0] ?? "")];
  }
}

/** Runs all checks in an open installation. */
export async function checkInstallation<Installation>(
  checks: readonly Check<Installation>[],
  installation: Installation,
  fix: boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check(installation, fix)));
  return findings;
}
