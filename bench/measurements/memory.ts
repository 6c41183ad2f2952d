import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Installation } from "../installation.ts";
import { sendLoad } from "../load.ts";
import { asBrowser, type Member } from "../product.ts";
import { startPostcard, type MeasuredServer } from "../servers/measured-server.ts";
import { inFull, median, megabytes, type Figure } from "../table.ts";

const starts = 3;
/** After this pause the server has collected the garbage of its start. */
const restMs = 6000;
/** One document and three pages of the feed, repeatedly. */
const load = { count: 14_600, rate: 120, connections: 32, patience: 120_000 };
const goals = { start: 160e6, load: 320e6 };

/**
 * Resident memory of a server of one process after its start and after mixed requests, medians of three
 * starts. The part that is mapped from files, the programs of Node and of the image library, is reported
 * separately: several processes share it.
 */
export async function memory(installation: Installation, { cookie }: Member): Promise<Figure[]> {
  const rested: Memory[] = [];
  const loaded: Memory[] = [];
  for (let start = 0; start < starts; start += 1) {
    const server = await startPostcard(installation);
    try {
      await sleep(restMs);
      rested.push(await memoryOf(server));
      if (start === 0) {
        const paths = ["/", "/api/feed", "/api/feed", "/api/feed"];
        const { failed } = await sendLoad({
          ...load,
          url: server.url,
          headers: asBrowser(cookie),
          ask: (index) => ({ path: paths[index % paths.length] ?? "/" }),
        });
        if (failed > 0) throw new Error(`${failed} requests failed.`);
        loaded.push(await memoryOf(server));
      }
    } finally {
      await server.stop();
    }
  }
  return [
    figure(`Memory of the server after its start, ${starts} starts`, rested, goals.start),
    figure(
      `The same after ${inFull(load.count)} requests, documents and feeds`,
      loaded,
      goals.load,
    ),
  ];
}

type Memory = { resident: number; files: number };

/** Bytes. The files' share is known on Linux alone. */
async function memoryOf(server: MeasuredServer): Promise<Memory> {
  const { memory: resident } = await server.usage();
  if (process.platform !== "linux") return { resident, files: Number.NaN };
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  const [, kilobytes] = /^RssFile:\s+(\d+)/m.exec(status) ?? [];
  return { resident, files: Number(kilobytes) * 1024 };
}

function figure(what: string, found: readonly Memory[], goal: number): Figure {
  const resident = median(found.map((one) => one.resident));
  const files = median(found.map((one) => one.files));
  const shared = Number.isNaN(files) ? "" : `, ${megabytes(files)} of it files that are mapped`;
  return {
    what,
    value: `${megabytes(resident)}${shared}`,
    goal: `≤ ${megabytes(goal)}`,
    met: resident <= goal,
  };
}
