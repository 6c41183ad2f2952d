import { expect, test } from "vitest";
import {
  connectionsNeeded,
  patientBounds,
  requestBounds,
  sharedBounds,
  type Bounds,
} from "#server/platform/db/time-limits.ts";

test.each([
  [1, 20, 6],
  [2, 10, 3],
  [3, 7, 3],
  [4, 5, 3],
  [64, 5, 3],
])("of %i processes each has %i connections for requests and %i for jobs", (processes, ...each) => {
  const of = (bounds: Bounds) => sharedBounds(bounds, processes).connections;
  expect([of(requestBounds), of(patientBounds)]).toEqual(each);
});

test("fewer connections than the minimum are left as they are", () => {
  expect(sharedBounds({ ...requestBounds, connections: 2 }, 8).connections).toBe(2);
});

test("the embedded PostgreSQL has room for all of them, for one more during a rolling restart, and for a command", () => {
  expect(connectionsNeeded(1)).toBe(27 + 26);
  expect(connectionsNeeded(2)).toBe(3 * 14 + 26);
  expect(connectionsNeeded(64)).toBe(65 * 9 + 26);
});
