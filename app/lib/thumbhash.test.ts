import { rgbaToThumbHash, thumbHashToRGBA } from "thumbhash";
import { expect, test } from "vitest";
import { tintOf } from "#app/lib/thumbhash.ts";

type Colour = [number, number, number];

/** An image of three horizontal bands. */
function banded(width: number, height: number, bands: Colour[]): string {
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index += 1) {
    const row = Math.floor(index / width);
    const band = bands[Math.floor((row * bands.length) / height)] ?? [0, 0, 0];
    pixels.set([...band, 255], index * 4);
  }
  return Buffer.from(rgbaToThumbHash(width, height, pixels)).toString("base64");
}

const channels = (colour: string) => (colour.match(/\d+/g) ?? []).map(Number);

/** The reference decoder's colours of the middle row of each third, averaged over its width. */
function reference(hash: string): number[][] {
  const { w, h, rgba } = thumbHashToRGBA(Buffer.from(hash, "base64"));
  return [1 / 6, 1 / 2, 5 / 6].map((height) => {
    const row = Math.min(h - 1, Math.floor(height * h));
    return [0, 1, 2].map((channel) => {
      let sum = 0;
      for (let x = 0; x < w; x += 1) sum += rgba[(row * w + x) * 4 + channel] ?? 0;
      return sum / w;
    });
  });
}

test.each([
  ["landscape", 90, 60],
  ["portrait", 60, 90],
  ["square", 80, 80],
])("a %s photo waits behind the colours of its own thirds", (_name, width, height) => {
  const hash = banded(width, height, [
    [110, 150, 210],
    [190, 180, 160],
    [70, 110, 60],
  ]);
  const tint = tintOf(hash);
  const expected = reference(hash);
  expect(tint).not.toBeNull();
  tint?.forEach((colour, third) => {
    channels(colour).forEach((value, index) => {
      expect(Math.abs(value - (expected[third]?.[index] ?? 0))).toBeLessThan(24);
    });
  });
});

test("an invalid thumbhash has no colours", () => {
  expect(tintOf("")).toBeNull();
  expect(tintOf("not base64 !")).toBeNull();
});
