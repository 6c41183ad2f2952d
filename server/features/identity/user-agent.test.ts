import { describe, expect, test } from "vitest";
import { deviceOf } from "#server/features/identity/user-agent.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const android = "Mozilla/5.0 (Linux; Android 10; K)";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0";
const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webkit}`;

describe("a device in words", () => {
  test.each([
    [
      "Firefox on Windows",
      "computer",
      `${windows.slice(0, -1)}; rv:143.0) Gecko/20100101 Firefox/143.0`,
    ],
    [
      "Firefox on Linux",
      "computer",
      "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
    ],
    ["Chrome on Windows", "computer", `${windows} ${blink} Safari/537.36`],
    ["Chrome on Android", "phone", `${android} ${blink} Mobile Safari/537.36`],
    ["Chrome on Android", "tablet", `${android} ${blink} Safari/537.36`],
    [
      "Chrome on ChromeOS",
      "computer",
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Safari/537.36`,
    ],
    ["Chrome on iPhone", "phone", `${iphone} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`],
    ["Firefox on iPhone", "phone", `${iphone} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`],
    ["Edge on Windows", "computer", `${windows} ${blink} Safari/537.36 Edg/141.0.0.0`],
    ["Edge on Android", "phone", `${android} ${blink} Mobile Safari/537.36 EdgA/141.0.0.0`],
    [
      "Edge on iPhone",
      "phone",
      `${iphone} Version/18.0 EdgiOS/141.0.3537.13 Mobile/15E148 Safari/605.1.15`,
    ],
    ["Opera on macOS", "computer", `${mac} ${blink} Safari/537.36 OPR/122.0.0.0`],
    [
      "Samsung Internet on Android",
      "phone",
      `${android} AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ],
    ["Safari on macOS", "computer", `${mac} ${webkit} Version/18.6 Safari/605.1.15`],
    ["Safari on iPhone", "phone", `${iphone} Version/18.6 Mobile/15E148 Safari/604.1`],
    [
      "Safari on iPad",
      "tablet",
      `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${webkit} Version/12.1.2 Mobile/15E148 Safari/604.1`,
    ],
    ["A web view on iPhone", "phone", `${iphone} Mobile/15E148`],
    ["curl", "program", "curl/8.14.1"],
    ["python-requests", "program", "python-requests/2.32.5"],
    ["node", "program", "node"],
    ["Unknown device", "computer", ""],
    ["Unknown device", "computer", "Mozilla/5.0"],
    ["Unknown device", "computer", "<script>alert(1)</script>"],
  ])("%s (%s)", (name, kind, userAgent) => {
    expect(deviceOf(userAgent)).toEqual({ name, kind });
  });

  test("of any 400 characters is read quickly", () => {
    for (const text of ["Android ".repeat(50), "Version/1.".repeat(40), "a".repeat(400)]) {
      expect(deviceOf(`Mozilla/5.0 ${text}`.slice(0, 400)).name.length).toBeLessThan(60);
    }
  });
});
