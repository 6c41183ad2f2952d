import { parseArgs } from "node:util";
import { sendLoad } from "./load.ts";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:3000/" },
    rate: { type: "string", default: "50" },
    count: { type: "string", default: "500" },
    connections: { type: "string", default: "32" },
    cookie: { type: "string", default: "" },
  },
});

const { url, cookie } = values;
try {
  const result = await sendLoad({
    url,
    rate: Number(values.rate),
    count: Number(values.count),
    connections: Number(values.connections),
    // as browsers ask for a document, which has fewer posts than the pages that a script asks for
    headers: { "sec-fetch-dest": "document", ...(cookie ? { cookie } : {}) },
  });
  const { answered, failed, rate, bytes, ...latency } = result;
  process.stdout.write(
    `${answered} answered (${rate} a second, ${bytes} bytes), ${failed} failed\n`,
  );
  process.stdout.write("Latency from the moment each was due, in milliseconds:\n");
  for (const [name, ms] of Object.entries(latency)) process.stdout.write(`  ${name} ${ms}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
