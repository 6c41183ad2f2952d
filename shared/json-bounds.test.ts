import { expect, test } from "vitest";
import { countJson } from "#shared/json-bounds.ts";

const most = { depth: 4, values: 10 };
const count = (json: string) => countJson(Buffer.from(json), most);

test.each([
  ["1", 1],
  ['"[[[[[{{{{,,,,,,,,,,,"', 1],
  [String.raw`"\"[[[[[\\"`, 1],
  [String.raw`["\\",[1,2]]`, 5],
  ['{"a":[1,2,3],"b":{"c":null}}', 7],
  ["[[[[1]]]]", 5],
  ["[[[[[1]]]]]", "too-deep"],
  [`[${"[],".repeat(3)}1]`, 8],
  [`[${"1,".repeat(9)}1]`, "too-many"],
  // not JSON at all
  ['"never ends', 1],
  ["]]]]]]]]", 1],
  ["", 1],
])("%s holds %s", (json, values) => {
  expect(count(json)).toBe(values);
});

test("never counts fewer values than a parser makes", () => {
  const value = { list: [1, "two", null, { a: [true, false], b: {} }], text: 'a "quoted" \\ one' };
  const made = (one: unknown): number =>
    typeof one === "object" && one !== null
      ? Object.values(one).reduce((sum: number, each) => sum + made(each), 1)
      : 1;
  const counted = countJson(Buffer.from(JSON.stringify(value)), { depth: 9, values: 99 });
  expect(counted).toBeGreaterThanOrEqual(made(value));
});
