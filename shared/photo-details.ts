import type { z } from "zod";
import type { cameraSchema, locationSchema, postDetailsSchema } from "#shared/views.schemas.ts";

/** A photo's camera metadata; missing values are left out. */
export type CameraView = z.infer<typeof cameraSchema>;

/** Degrees, rounded to hundredths: about a kilometre. */
export type LocationView = z.infer<typeof locationSchema>;

/** How and where the photos of a post were taken, as far as its author shows it. */
export type PostDetails = z.infer<typeof postDetailsSchema>;

/** `1/125 s`, or `2.5 s`. */
function exposureIn(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : `${round(seconds)} s`;
}

const round = (value: number) => String(Math.round(value * 10) / 10);

/** A photo's metadata as text: a label and its value. */
export function cameraFacts(camera: CameraView): [label: string, value: string][] {
  const { model, lens, focalLength, focalLength35, aperture, exposureTime, iso, takenAt } = camera;
  const focal = [
    focalLength && `${round(focalLength)} mm`,
    focalLength35 && focalLength35 !== focalLength && `${round(focalLength35)} mm equivalent`,
  ].filter(Boolean);
  const exposure = [
    aperture && `f/${round(aperture)}`,
    exposureTime && exposureIn(exposureTime),
    iso && `ISO ${iso}`,
  ].filter(Boolean);
  const facts: [string, string | undefined][] = [
    ["Camera", model],
    ["Lens", lens],
    ["Focal length", focal.join(", ")],
    ["Exposure", exposure.join(" · ")],
    ["Taken", takenAt && takenAtText(takenAt)],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []));
}

/** The camera's clock as text: it has no time zone, so none is applied. */
function takenAtText(takenAt: string): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en", format).format(new Date(`${takenAt}Z`));
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

/** The metadata of one photo of a post, as text; `href` is a map of its location. */
export type PhotoFacts = {
  /** of the photo */
  key: string;
  facts: [label: string, value: string][];
  location: { text: string; href: string } | null;
};

/** Of the photos with any metadata. */
export function factsOf({ photos }: PostDetails): PhotoFacts[] {
  return photos.flatMap(({ key, camera, place }) => {
    const facts = camera ? cameraFacts(camera) : [];
    return facts.length > 0 || place
      ? [{ key, facts, location: place && locationFacts(place) }]
      : [];
  });
}
