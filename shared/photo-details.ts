import type { z } from "zod";
import type { cameraSchema, locationSchema } from "#shared/images.schemas.ts";
import type { postDetailsSchema } from "#shared/views.schemas.ts";

/** A photo's camera metadata; missing values are left out. */
export type CameraView = z.infer<typeof cameraSchema>;

/** Degrees, rounded to hundredths: about a kilometre. */
export type LocationView = z.infer<typeof locationSchema>;

/** How and where the photos of a post were taken, as far as its author shows it. */
export type PostDetails = z.infer<typeof postDetailsSchema>;

/** `1/125 s`, or `2.5 s`; no line ends within. */
function exposureIn(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)}\u{a0}s` : `${round(seconds)}\u{a0}s`;
}

const round = (value: number) => String(Math.round(value * 10) / 10);

/** How a photo was taken, in one line: `iPhone 12 · 26 mm · f/1.6 · 1/250 s · ISO 32`; "" where nothing is known. */
export function cameraLine(camera: CameraView): string {
  const { model, lens, focalLength, focalLength35, aperture, exposureTime, iso } = camera;
  // What a lens of a small sensor shows is known by the other number.
  const focal = focalLength35 ?? focalLength;
  return [
    // Nobody says more than that of this one.
    model?.replace(/^Apple (?=iP)/, "") ?? lens,
    focal && `${round(focal)}\u{a0}mm`,
    aperture && `f/${round(aperture)}`,
    exposureTime && exposureIn(exposureTime),
    iso && `ISO\u{a0}${iso}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

const half = (value: number, [positive, negative]: readonly [string, string]) =>
  `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;

/** Where a photo was taken, as coordinates, and a map on which they can be looked up. */
export function locationFacts({ latitude, longitude }: LocationView): {
  text: string;
  href: string;
} {
  const [lat, lon] = [latitude.toFixed(2), longitude.toFixed(2)];
  return {
    text: `${half(latitude, ["N", "S"])}, ${half(longitude, ["E", "W"])}`,
    href: `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=12/${lat}/${lon}`,
  };
}

/** What a photo of a post says of how it was taken and where; `href` is a map of its location. */
export type PhotoFacts = {
  /** of the photo */
  key: string;
  line: string;
  location: { text: string; href: string } | null;
};

/** Of the photos that say anything. */
export function factsOf({ photos }: PostDetails): PhotoFacts[] {
  return photos.flatMap(({ key, camera, place }) => {
    const line = camera ? cameraLine(camera) : "";
    return line || place ? [{ key, line, location: place && locationFacts(place) }] : [];
  });
}
