// For --import: this process's clock is wrong by as many milliseconds as a file says (FAULTS_CLOCK names it),
// which may change while it runs. Time measured without a date (performance.now) is right, as on a real
// machine.
import crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const file = process.env["FAULTS_CLOCK"] ?? "";
let shift = 0;
const look = () => {
  try {
    shift = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    shift = 0;
  }
};
look();
setInterval(look, 100).unref();

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...(args as [number]));
  }
  static override now(): number {
    return RealDate.now() + shift;
  }
} as DateConstructor;

// Ids have the time in their first 48 bits, from a clock that Node reads for itself.
const { randomUUIDv7 } = crypto;
const shifted: typeof randomUUIDv7 = (options) => {
  const moment = globalThis.Date.now().toString(16).padStart(12, "0");
  return `${moment.slice(0, 8)}-${moment.slice(8)}${randomUUIDv7(options).slice(13)}` as ReturnType<
    typeof randomUUIDv7
  >;
};
Object.assign(crypto, { randomUUIDv7: shifted });
syncBuiltinESMExports();
