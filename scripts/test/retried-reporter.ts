import { writeFileSync } from "node:fs";
import type { Reporter, TestCase } from "vitest/node";

/** Writes the names of tests that passed only when they were tried again into RETRIED_TESTS. */
export default class RetriedReporter implements Reporter {
  private readonly names: string[] = [];

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky)
      this.names.push(`${test.module.relativeModuleId} ${test.fullName}`);
  }

  onTestRunEnd() {
    const file = process.env["RETRIED_TESTS"];
    if (file) writeFileSync(file, JSON.stringify(this.names));
  }
}
