import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "#server/config.ts";
import { createLog } from "#server/platform/log.ts";
import { joinNames } from "#shared/text.ts";
import { fillDemo } from "./fill.ts";
import { openInstallation } from "./installation.ts";
import { createSkipped } from "./skipped.ts";
import { createPainter } from "./photos/painter.ts";
import { createProgress } from "./progress.ts";
import { planDemo } from "./plan.ts";

const usage = `npm run demo -- [--people 60] [--seed town]

Fills the installation of this folder, running or stopped, with a small town: people, pictures,
posts, follows, likes, comments, saves, messages. Run again, it adds only what is missing, and says what it
left out because of a block or a closed account; with more people the town grows. The same seed
always makes the same town.`;

/** As many as one person could meet; the whole plan is in memory. */
const most = 5000;

function readArguments(): { people: number; seed: string } | null {
  const options = {
    people: { type: "string", default: "60" },
    seed: { type: "string", default: "town" },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) return null;
  const people = Number(values.people);
  if (!Number.isInteger(people) || people < 2 || people > most) {
    throw new Error(`--people is ${values.people}, but must be a whole number from 2 to ${most}.`);
  }
  if (!/^[a-z0-9]{1,20}$/.test(values.seed)) {
    throw new Error("--seed must be 1 to 20 small letters and digits.");
  }
  return { people, seed: values.seed };
}

async function run({ people, seed }: { people: number; seed: string }): Promise<void> {
  const began = Date.now();
  const config = readConfig();
  const plan = planDemo(seed, people);
  // Only warnings go to the terminal; a server's everyday log lines would drown the progress.
  const installation = await openInstallation(config, createLog("error"));
  const painter = createPainter();
  // Interrupted: what is done stays, and the database does not keep running.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.stdout.write("Stopped. Run it again to finish the town.\n");
      void installation.close().finally(() => process.exit(130));
    });
  }
  const folder = mkdtempSync(join(tmpdir(), "postcard-demo-"));
  const skipped = createSkipped();
  try {
    const progress = createProgress(process.stdout);
    await fillDemo(plan, { ...installation, painter, progress, folder, skipped });
  } finally {
    painter.close();
    rmSync(folder, { recursive: true, force: true });
    await installation.close();
  }
  const signIns = plan.people.slice(0, 2).map(({ first, second, email }) => {
    const name = joinNames(first, second);
    return `  ${email}  ${installation.secretFor(email)}  (${name})`;
  });
  const took = Math.round((Date.now() - began) / 1000);
  const lacking = skipped.inWords();
  if (lacking) {
    process.stdout.write(
      `Left out, because people blocked each other, or closed their accounts: ${lacking}.\n`,
    );
  }
  process.stdout.write(
    `The town stands: ${plan.people.length} people, ${plan.posts.length} posts, in ${took} s.\n` +
      `Sign in at ${config.publicUrl}/signIn as\n${signIns.join("\n")}\n`,
  );
}

try {
  const given = readArguments();
  if (given) await run(given);
  else process.stdout.write(`${usage}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message.split("\n", 1)[0]}\n`);
  process.exitCode = 1;
}
