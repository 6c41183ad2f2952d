import { readText } from "./project.mjs";

/**
 * Processor seconds of all programs that we started and that ended, their own programs included; null where
 * there is no /proc. What was orphaned (a PostgreSQL whose server was killed) is not in it.
 */
export function childSeconds() {
  const fields = readText("/proc/self/stat")?.split(") ")[1]?.split(" ");
  if (!fields) return null;
  // proc(5): cutime and cstime, in hundredths
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
