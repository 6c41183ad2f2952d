/**
 * The integration suite of toot, a client for the terminal, against its own Postcard. TOOT_REPOSITORY names a
 * clone (or the address of one), TOOT_VERSION the tag. Debian: python3-pytest python3-click python3-bs4
 * python3-dateutil python3-requests python3-tomlkit python3-urwid python3-wcwidth.
 */
import { join } from "node:path";
import { here, program, runSuite, succeeds, unpack } from "./server.ts";

const { TOOT_REPOSITORY: source, TOOT_VERSION: version = "0.52.1" } = process.env;
const modules = "import pytest, click, bs4, dateutil, requests, tomlkit, urwid, wcwidth";

await runSuite(
  "toot",
  async () => {
    if (!source) return "TOOT_REPOSITORY does not name a clone of it.";
    if (!(await succeeds("/usr/bin/python3", ["-c", modules])))
      return "Python or a module that it needs is not installed.";
    return null;
  },
  async ({ url, folder }) => {
    const cwd = join(folder, "toot");
    await unpack(source ?? "", version, cwd);
    const words = [
      "-m",
      "pytest",
      "-p",
      "toot_in_debian",
      "tests/integration",
      "-q",
      "-rA",
      "--tb=short",
    ];
    return program("/usr/bin/python3", [...words, ...process.argv.slice(2)], {
      cwd,
      env: { TOOT_TEST_BASE_URL: url, HOME: folder, PYTHONPATH: here },
    });
  },
);
