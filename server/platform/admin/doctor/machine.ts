import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fixed, note, ok, problem, type Finding } from "#server/platform/admin/doctor/finding.ts";
import type { Config } from "#server/config.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { isLoopback } from "#server/platform/networks.ts";
import { mailOff } from "#server/platform/status/needs.ts";
import { limits } from "#shared/limits.ts";
import { formatSize } from "#shared/sizes.ts";

/** With less than this, uploads are refused. */
const needed = limits.uploads.reserve;
const comfortable = 4 * needed;

/**
 * What can be checked without the database: the disks, who may read the secrets, how people reach the server.
 */
export async function checkMachine(config: Config, fix: boolean): Promise<Finding[]> {
  return [
    ok("Node.js", `${process.version}, ${process.platform}.`),
    ...(await disks(config)),
    secretsMode(config.secretsFile, fix),
    ...address(config),
  ].filter((finding) => finding !== null);
}

async function disks({ dataDir }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const seen = new Set<number>();
  // Images may be on another disk than the database.
  for (const name of ["", "postgres", "images", "originals"]) {
    const folder = join(dataDir, name);
    if (!existsSync(folder)) continue;
    const { dev } = statSync(folder);
    if (seen.has(dev)) continue;
    seen.add(dev);
    findings.push(diskFinding(folder, await freeBytesIn(folder)));
  }
  return findings;
}

function diskFinding(folder: string, free: number): Finding {
  const room = formatSize(free);
  if (free < needed) {
    return problem(
      "Disk",
      `${room} free where ${folder} is: photos are refused below ${formatSize(needed)}. Make room or add a disk.`,
    );
  }
  if (free < comfortable)
    return note(
      "Disk",
      `${room} free where ${folder} is. Make room before it is below ${formatSize(needed)}.`,
    );
  return ok("Disk", `${room} free where ${folder} is.`);
}

/** Keys that other users of the machine can read are not secret. */
function secretsMode(file: string, fix: boolean): Finding | null {
  if (!existsSync(file)) return null;
  const { mode } = statSync(file);
  if ((mode & 0o077) === 0) return ok("Secrets", `${file} is readable for its owner only.`);
  if (fix) {
    chmodSync(file, 0o600);
    return fixed(
      "Secrets",
      `${file} was readable for others on this machine, and is not any more.`,
    );
  }
  return problem("Secrets", `Others on this machine can read ${file}. Run: chmod 600 ${file}`);
}

function address({ publicUrl, host, rateLimits, smtpUrl }: Config): Finding[] {
  const { protocol, hostname } = new URL(publicUrl);
  const here = isLoopback(hostname);
  const findings: Finding[] = [];
  if (here && !isLoopback(host)) {
    findings.push(
      problem(
        "Address",
        `PUBLIC_URL is ${publicUrl}, but HOST is ${host}: others can't sign in. Set PUBLIC_URL to the address they type.`,
      ),
    );
  } else if (!here && protocol === "http:") {
    findings.push(
      problem(
        "Address",
        `${publicUrl} isn't encrypted: passwords can be read on the way, and passkeys, pushes and reading offline don't work. Put a proxy with https in front and set PUBLIC_URL to it.`,
      ),
    );
  } else findings.push(ok("Address", publicUrl));
  if (!rateLimits) {
    findings.push(note("Limits", "RATE_LIMITS is off: nothing slows down guessing and flooding."));
  }
  if (smtpUrl === null) {
    findings.push(
      (here ? ok : note)(
        "Mail",
        `${mailOff} Set SMTP_URL and restart; until then emails become files, and somebody has to pass them on.`,
      ),
    );
  }
  return findings;
}
