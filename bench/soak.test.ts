import { expect, test } from "vitest";
import { filesIn, sampleProcesses, sizeOf } from "./soak/samples.ts";
import { thirdsFigure } from "./soak/thirds.ts";

const format = String;
const series = (of: (at: number) => number) => Array.from({ length: 30 }, (_, at) => of(at));

test("a soak passes if memory comes to rest, and fails if it keeps growing", () => {
  const rested = series((at) => (at < 8 ? 50 + at * 10 : 130 + (at % 3)));
  expect(thirdsFigure({ what: "", samples: rested, format }).met).toBe(true);
  const leaking = series((at) => 100 + at * 2);
  const { met, value } = thirdsFigure({ what: "", samples: leaking, format });
  expect(met).toBe(false);
  expect(value).toBe("1.16 × (149 against 129; 109 in the first third)");
  // more at the end of each third alone would be noticed as well
  expect(thirdsFigure({ what: "", samples: leaking.toReversed(), format }).met).toBe(true);
});

test("small counts may grow a little, and figures that are only reported never fail", () => {
  const few = series((at) => (at < 20 ? 1 : 3));
  expect(thirdsFigure({ what: "", samples: few, format }).met).toBe(false);
  expect(thirdsFigure({ what: "", samples: few, format, slack: 3 }).met).toBe(true);
  expect(thirdsFigure({ what: "", samples: few, format, held: false }).met).toBeNull();
  const none = thirdsFigure({ what: "", samples: series(() => 0), format });
  expect(none).toMatchObject({ met: true, value: "(0 against 0; 0 in the first third)" });
});

test.runIf(process.platform === "linux")("a sample has what a process holds", () => {
  const [self] = sampleProcesses(process.pid);
  expect(self?.pid).toBe(process.pid);
  expect(self?.memory).toBeGreaterThan(10_000_000);
  expect(self?.descriptors).toBeGreaterThan(3);
  expect(self?.threads).toBeGreaterThan(1);
  const { files, bytes } = sizeOf(import.meta.dirname);
  expect(files).toBeGreaterThan(20);
  expect(bytes).toBeGreaterThan(10_000);
  const [one] = filesIn(import.meta.dirname);
  expect(one?.age).toBeGreaterThan(0);
});
