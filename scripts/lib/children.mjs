import { spawn } from "node:child_process";

const running = new Set();
let ending = false;

/** Starts a program that ends with us. */
export function start(file, args, options) {
  const child = spawn(file, args, options);
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/**
 * Runs a program to its end and collects what it says.
 * Resolves with its exit code (null after a signal) and its output, both streams in one;
 * never once everything is to end. `onStart` hears the number of the process.
 */
export function runToEnd(file, args, { onStart, ...options } = {}) {
  return new Promise((resolve) => {
    // A group of its own: Ctrl-C reaches us, and we end it in order.
    const child = start(file, args, {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      ...options,
    });
    onStart?.(child.pid);
    let output = "";
    const collect = (chunk) => (output += chunk);
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => ending || resolve({ code, output }));
  });
}

/** Asks every program that still runs to end, and waits for that: four seconds at most. */
export async function endChildren() {
  ending = true;
  const ends = [...running].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  signalAll("SIGTERM");
  const late = new Promise((resolve) => setTimeout(resolve, 4000));
  await Promise.race([Promise.all(ends), late]);
  signalAll("SIGKILL");
}

function signalAll(signal) {
  for (const child of running) {
    try {
      process.kill(-child.pid, signal);
    } catch {
      child.kill(signal);
    }
  }
}
