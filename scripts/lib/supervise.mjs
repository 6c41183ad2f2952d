import { spawn } from "node:child_process";
import { join } from "node:path";
import { nodeEnvironment } from "./node-binary.mjs";
import { duration, projectRoot } from "./project.mjs";
import { createWatchdog } from "./watchdog.mjs";

const firstWaitMs = 250;
const longestWaitMs = 30_000;
/** A server that lived this long was well: its next death is a first one again. */
const wellMs = 60_000;
/** From the signal to the end; the server has a shorter limit of its own. */
const stopMs = 9600;

function reportHang({ seconds, underWay, left }) {
  const work = underWay.length > 0 ? ` What was under way: ${underWay.join(", ")}.` : "";
  const end = left
    ? "It is left alone: it was replaced three times within ten minutes."
    : "It is replaced.";
  process.stderr.write(`The server has said nothing for ${seconds} s. ${end}${work}\n`);
}

/**
 * Runs the server until somebody asks us to stop, and starts it again when it dies or hangs. A first start
 * that never became ready is not repeated: its sentence is on the screen, and the exit code is 1.
 * The server writes to our output itself; nothing passes through here.
 */
export function supervise({ node, signals }) {
  let server = null;
  let wasReady = false;
  let wait = firstWaitMs;
  let timer;
  let stopping = false;
  const watch = createWatchdog();

  function run() {
    const started = Date.now();
    // V8 would keep three times 32 MB for what is young, most of it empty, and on a machine with much memory
    // let what is old grow fourfold between two collections: 390 MB after 1,300 documents. With these it holds
    // 316. With 8 and 60 it held 277, for 7 % more processor (by turns, on a busy machine).
    const flags = ["--max-semi-space-size=16", "--heap-growing-percent=100", "--expose-gc"];
    const child = spawn(node, [...flags, join(projectRoot, "server", "main.ts")], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      // glibc keeps a heap for each thread that decodes images; two serve them all, and the peak
      // of an upload is a third lower (docs/decisions/0226).
      env: { MALLOC_ARENA_MAX: "2", ...nodeEnvironment() },
    });
    server = child;
    watch(child, { kill: () => child.kill("SIGKILL"), onHang: reportHang });
    server.on("message", (message) => {
      if (message?.ready) wasReady = true;
    });
    server.once("error", (error) => {
      process.stderr.write(`The server cannot be started: ${error.message}.\n`);
      process.exit(1);
    });
    server.once("exit", (code, signal) => {
      server = null;
      if (stopping) process.exit(0);
      if (!wasReady) process.exit(1);
      if (code === 0) process.exit(0);
      if (Date.now() - started > wellMs) wait = firstWaitMs;
      const end = signal ? `was killed (${signal})` : `ended with code ${code}`;
      const pause = wait < 1000 ? "at once" : `in ${duration(wait)}`;
      process.stderr.write(`The server ${end}. It is started again ${pause}.\n`);
      timer = setTimeout(run, wait);
      wait = Math.min(wait * 2, longestWaitMs);
    });
  }

  function stop(signal) {
    if (stopping) return;
    stopping = true;
    clearTimeout(timer);
    if (server === null) process.exit(0);
    server.kill(signal);
    setTimeout(() => {
      server?.kill("SIGKILL");
      process.exit(0);
    }, stopMs);
  }

  signals.handle(stop);
  run();
}
