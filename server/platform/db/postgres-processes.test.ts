import * as fs from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { livesIn, processesIn } from "#server/platform/db/postgres-processes.ts";

vi.mock("node:fs", async (original) => ({ ...(await original<typeof fs>()) }));

const onLinux = test.runIf(process.platform === "linux");

afterEach(() => vi.restoreAllMocks());

function failing(code: string) {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

onLinux("a process that is gone is known to be", () => {
  expect(livesIn("/somewhere", 2 ** 22 + 1)).toBe(false);
});

onLinux.each(["EMFILE", "ENFILE", "EIO"])("%s while looking is nobody's death", (code) => {
  vi.spyOn(fs, "readlinkSync").mockImplementation(() => "/somewhere");
  vi.spyOn(fs, "readFileSync").mockImplementation(failing(code));
  expect(() => livesIn("/somewhere", process.pid)).toThrow(code);
});

onLinux("another user's postmaster is known by what it was started with", () => {
  vi.spyOn(fs, "readlinkSync").mockImplementation(failing("EACCES"));
  vi.spyOn(fs, "readFileSync").mockImplementation(() => "postgres\0-D\0/somewhere\0-c\0a=b\0");
  expect(livesIn("/somewhere", process.pid)).toBe(true);
  expect(livesIn("/elsewhere", process.pid)).toBe(false);
});

onLinux("no list of processes is not an empty one", () => {
  vi.spyOn(fs, "readdirSync").mockImplementation(failing("EMFILE"));
  expect(() => processesIn("/somewhere")).toThrow("EMFILE");
});
