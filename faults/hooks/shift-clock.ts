// For --import: this process's clock is wrong by as many milliseconds as a file says (FAULTS_CLOCK names it),
// which may change while it runs. What measures time without a date (performance.now) is right, as on a real machine.
import { readFileSync } from "node:fs";

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
