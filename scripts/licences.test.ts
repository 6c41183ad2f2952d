import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Package = { license?: string; dev?: boolean };

/**
 * What may be part of a work under the AGPL-3.0: by the list of the Free Software Foundation
 * (https://www.gnu.org/licenses/license-list.html), fonts under the OFL as works beside it.
 */
const compatible = new Set(
  `0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC-BY-4.0 CC0-1.0 ISC LGPL-3.0 LGPL-3.0-or-later MIT
  MIT-0 MPL-2.0 OFL-1.1 Unlicense`.split(/\s+/),
);

/** An SPDX expression without brackets inside brackets: one of what stands between OR, all between AND. */
const mayBeUsed = (expression: string) =>
  expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((all) => all.split(" AND ").every((one) => compatible.has(one)));

function refused(packages: Record<string, Package>): string[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith("node_modules/") && !dev)
    .filter(([, { license = "" }]) => !mayBeUsed(license))
    .map(([path, { license = "none" }]) => `${path}: ${license}`);
}

test("everything that Postcard is installed with names a licence that the AGPL-3.0 allows", () => {
  const lockfile = new URL("../package-lock.json", import.meta.url);
  const { packages } = JSON.parse(readFileSync(lockfile, "utf8")) as {
    packages: Record<string, Package>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(refused(packages)).toEqual([]);
});

test("icons that others drew are stored beside their licence", () => {
  const sheet = readFileSync(new URL("../app/ui/icons.svg", import.meta.url), "utf8");
  const [, named = ""] = /<!-- Phosphor Icons, MIT License: ([\w.]+) -->/.exec(sheet) ?? [];
  const licence = readFileSync(new URL(`../app/ui/${named}`, import.meta.url), "utf8");
  expect(licence).toMatch(
    /^MIT License\s+Copyright \(c\) 2020 Phosphor Icons\s+Permission is hereby granted/,
  );
});

test("no licence, and one that forbids something, are reported; what only tests need may have any", () => {
  const packages = {
    "node_modules/silent": {},
    "node_modules/shared-source": { license: "BUSL-1.1" },
    "node_modules/older": { license: "MIT AND GPL-2.0-only" },
    "node_modules/chosen": { license: "(MIT OR GPL-2.0-only)" },
    "node_modules/for-tests": { license: "BUSL-1.1", dev: true },
    "": {},
  };
  expect(refused(packages)).toEqual([
    "node_modules/silent: none",
    "node_modules/shared-source: BUSL-1.1",
    "node_modules/older: MIT AND GPL-2.0-only",
  ]);
});
