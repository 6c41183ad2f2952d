import sharp, { type Sharp } from "sharp";

/**
 * How different people see two colours: ΔE2000, after Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference
 * Formula: Implementation Notes, Supplementary Test Data, and Mathematical Observations" (Color Research and
 * Application 30, 2005); colour-difference.test.ts uses their pairs.
 */
export type Lab = readonly [lightness: number, a: number, b: number];

const { abs, atan2, cos, exp, hypot, sin, sqrt } = Math;
const degrees = (angle: number) => (angle * Math.PI) / 180;
const hueOf = (a: number, b: number) =>
  a === 0 && b === 0 ? 0 : ((atan2(b, a) * 180) / Math.PI + 360) % 360;

export function deltaE([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const meanC = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7;
  const stretch = 1.5 - sqrt(meanC / (meanC + 25 ** 7)) / 2;
  const [c1, c2] = [hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)];
  const [h1, h2] = [hueOf(a1 * stretch, b1), hueOf(a2 * stretch, b2)];
  const grey = c1 * c2 === 0;
  const turn = abs(h1 - h2) <= 180 ? 0 : h2 <= h1 ? 360 : -360;
  const hue = 2 * sqrt(c1 * c2) * sin(degrees(grey ? 0 : h2 - h1 + turn) / 2);
  const around = abs(h1 - h2) <= 180 ? 0 : h1 + h2 < 360 ? 360 : -360;
  const h = grey ? h1 + h2 : (h1 + h2 + around) / 2;
  const [l, c] = [((l1 + l2) / 2 - 50) ** 2, (c1 + c2) / 2];
  const t =
    1 -
    0.17 * cos(degrees(h - 30)) +
    0.24 * cos(degrees(2 * h)) +
    0.32 * cos(degrees(3 * h + 6)) -
    0.2 * cos(degrees(4 * h - 63));
  const rotation =
    -2 * sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * sin(degrees(60 * exp(-(((h - 275) / 25) ** 2))));
  const dL = (l2 - l1) / (1 + (0.015 * l) / sqrt(20 + l));
  const dC = (c2 - c1) / (1 + 0.045 * c);
  const dH = hue / (1 + 0.015 * c * t);
  return sqrt(dL ** 2 + dC ** 2 + dH ** 2 + rotation * dC * dH);
}

const linear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const cubic = (value: number) =>
  value > 216 / 24_389 ? Math.cbrt(value) : (value * 841) / 108 + 4 / 29;

/** The CIELAB value of an sRGB colour, 0 to 255 a channel, under D65 (IEC 61966-2-1; CIE 15). */
export function labOf(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [linear(red / 255), linear(green / 255), linear(blue / 255)];
  const x = cubic((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = cubic(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = cubic((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const colourAt = (data: Uint8Array, at: number) =>
  labOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);

/** The median ΔE2000 of the pixels of two images, RGB of 8 bits and the same size. */
export function medianDifference(one: Uint8Array, other: Uint8Array): number {
  const found: number[] = [];
  for (let at = 0; at + 2 < one.length; at += 3) {
    found.push(deltaE(colourAt(one, at), colourAt(other, at)));
  }
  return found.toSorted((a, b) => a - b)[found.length >> 1] ?? Number.NaN;
}

/** The side of the patches whose colours are compared, in pixels: smaller differences are grain. */
const patch = 4;

/**
 * How far the colours of a served image are from those of its reference: the median ΔE2000 of patches of 4 ×
 * 4 pixels. A JPEG of quality 80 changes single pixels of a grainy photograph by 2 to 3.5, which nobody sees.
 */
export async function colourDifference(served: Uint8Array, reference: Sharp): Promise<number> {
  const { width, height } = await sharp(served).metadata();
  const patches = async (picture: Sharp) => {
    const same = await picture
      .resize({ width, height, fit: "fill" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer();
    return sharp(same, { raw: { width, height, channels: 3 } })
      .resize({
        width: Math.ceil(width / patch),
        height: Math.ceil(height / patch),
        fit: "fill",
        kernel: "linear",
      })
      .raw()
      .toBuffer();
  };
  return medianDifference(await patches(sharp(served)), await patches(reference));
}

/** Converts linear light of Display P3 to sRGB, both under D65 (SMPTE EG 432-1; IEC 61966-2-1). */
const p3ToSrgb = [
  [1.22494018, -0.22494018, 0],
  [-0.04205695, 1.04205695, 0],
  [-0.01963755, -0.07863605, 1.0982736],
] as const;

/** Converts pixels of Display P3 to sRGB, colours outside of it to its nearest. RGB of 8 bits. */
export function fromDisplayP3(pixels: Uint8Array): Buffer {
  const light = Float64Array.from({ length: 256 }, (_, value) => linear(value / 255));
  const converted = Buffer.alloc(pixels.length);
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [r, g, b] = [0, 1, 2].map((channel) => light[pixels[at + channel] ?? 0] ?? 0);
    for (const [channel, [ofRed, ofGreen, ofBlue]] of p3ToSrgb.entries()) {
      const value = ofRed * (r ?? 0) + ofGreen * (g ?? 0) + ofBlue * (b ?? 0);
      const shown = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
      converted[at + channel] = Math.round(255 * Math.min(1, Math.max(0, shown)));
    }
  }
  return converted;
}
