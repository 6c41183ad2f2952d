import { expect, test } from "vitest";
import { deltaE, labOf, medianDifference, type Lab } from "#server/test/colour-difference.ts";

/** From the table published with the formula: near grey, hues on both sides of 0, large and small. */
const pairs: [Lab, Lab, number][] = [
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615],
  [[50, 2.8361, -74.02], [50, 0, -82.7485], 3.4412],
  [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
  [[50, 0, 0], [50, -1, 2], 2.3669],
  [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
  [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
  [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[50, 2.5, 0], [61, -5, 29], 22.8977],
  [[50, 2.5, 0], [56, -27, -3], 31.903],
  [[50, 2.5, 0], [58, 24, 15], 19.4535],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
];

test.each(pairs)("%j and %j differ by %d, either way", (one, other, difference) => {
  expect(deltaE(one, other)).toBeCloseTo(difference, 4);
  expect(deltaE(other, one)).toBeCloseTo(difference, 4);
});

test("colours of a screen are converted as the standard says", () => {
  const red = labOf(255, 0, 0);
  expect(red.map((value) => Math.round(value))).toEqual([53, 80, 67]);
  expect(Math.round(labOf(255, 255, 255)[0])).toBe(100);
  expect(medianDifference(Uint8Array.of(9, 9, 9), Uint8Array.of(9, 9, 9))).toBe(0);
  expect(medianDifference(Uint8Array.of(200, 40, 40), Uint8Array.of(40, 40, 200))).toBeGreaterThan(
    40,
  );
});
