import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase } from "vitest/node";

/** Writes which tests passed only when they were tried again, and why not at first, into RETRIED_TESTS. */
export default class RetriedReporter implements Reporter {
  private readonly names: string[] = [];

  onTestCaseResult(test: TestCase) {
    if (!test.diagnostic()?.flaky) return;
    const [first] = test.result().errors ?? [];
    const where = first?.stack?.split("\n").find((line) => line.includes(".test.ts"));
    const why = [first?.message, first?.diff, where].filter(Boolean).join("\n");
    this.names.push(
      `${test.module.relativeModuleId} ${test.fullName}: ${stripVTControlCharacters(why)}`,
    );
  }

  onTestRunEnd() {
    const file = process.env["RETRIED_TESTS"];
    if (file) writeFileSync(file, JSON.stringify(this.names));
  }
}
