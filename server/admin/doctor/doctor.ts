import { lookAtAddresses } from "#server/admin/doctor/addresses.ts";
import { lookAtBackups } from "#server/admin/doctor/backups.ts";
import { lookInside } from "#server/admin/doctor/inside.ts";
import { lookAtMachine } from "#server/admin/doctor/machine.ts";
import { lookAtMail } from "#server/admin/doctor/mail.ts";
import { problem, type Finding } from "#server/admin/doctor/finding.ts";
import { lookAtPostgres } from "#server/admin/doctor/postgres.ts";
import { lookFromOutside } from "#server/admin/doctor/reach.ts";
import { inInstallation } from "#server/admin/in-installation.ts";
import { line, plain } from "#server/admin/print.ts";
import type { Options } from "#server/admin/words.ts";
import type { Config } from "#server/config.ts";

/**
 * Looks at everything that an installation stands on, and says of each what it found and what to do. What
 * cannot be looked at is a finding as well: nothing ends the round. Exit code 1 where a problem is left.
 */
export function doctor(options: Options) {
  const fix = options["fix"] === true;
  return async (config: Config): Promise<number> => {
    const findings: Finding[] = [];
    const tell = (found: Finding[]) => {
      findings.push(...found);
      if (!options["json"]) for (const finding of found) line(inLine(finding));
    };
    tell(await orProblem("Machine", () => lookAtMachine(config, fix)));
    tell(await orProblem("PostgreSQL", () => lookAtPostgres(config)));
    tell(await orProblem("Database", () => lookAtAddresses(config)));
    tell(await orProblem("Backups", () => lookAtBackups(config)));
    tell(await orProblem("Mail", () => lookAtMail(config)));
    tell(
      await orProblem("Installation", () =>
        inInstallation(config, async (installation) => {
          tell(await orProblem("Installation", () => lookInside(installation, fix)));
          const pass = installation.features.doctorPass.issue();
          return orProblem("Server", () => lookFromOutside(config, pass));
        }),
      ),
    );
    const problems = findings.filter(({ state }) => state === "problem").length;
    if (options["json"]) line(JSON.stringify({ findings }, null, 2));
    else
      line(
        problems === 0 ? "No problems." : `${problems} ${problems === 1 ? "problem" : "problems"}.`,
      );
    return problems === 0 ? 0 : 1;
  };
}

const inLine = ({ state, about, text }: Finding) => `${state.padEnd(8)} ${about}: ${plain(text)}`;

/** An error is a sentence: what cannot be looked at is in a bad way. */
async function orProblem(about: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(about, (error as Error).message.split("\n", 1)[0] ?? "")];
  }
}
