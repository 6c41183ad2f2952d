import type { z } from "zod";
import type { cameraSchema, locationSchema, postDetailsSchema } from "#shared/views.schemas.ts";

/** What a camera wrote into a photo; what it did not write is left out. */
export type CameraView = z.infer<typeof cameraSchema>;

/** Degrees, rounded to hundredths: about a kilometre. */
export type LocationView = z.infer<typeof locationSchema>;

/** What the author of a post shows of how and where its photos were taken. */
export type PostDetails = z.infer<typeof postDetailsSchema>;

/** `1/125 s`, or `2.5 s`. */
function exposureIn(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : `${round(seconds)} s`;
}

const round = (value: number) => String(Math.round(value * 10) / 10);

/** What is known of a photo, in words: a label and what stands beside it. */
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
    ["Taken", takenAt && takenIn(takenAt)],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []));
}

/** The camera's clock, in words: it is nobody's time zone, so none is applied. */
function takenIn(takenAt: string): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en", format).format(new Date(`${takenAt}Z`));
}

const half = (value: number, [positive, negative]: readonly [string, string]) =>
  `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;

/** Where a photo was taken, in plain coordinates, and the map at which they can be looked up. */
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

/** What is told of one photo of a post, in words; `href` is where its place can be looked up. */
export type PhotoFacts = {
  /** of the picture */
  key: string;
  facts: [label: string, value: string][];
  place: { text: string; href: string } | null;
};

/** Of the photos of which anything is told. */
export function factsOf({ photos }: PostDetails): PhotoFacts[] {
  return photos.flatMap(({ key, camera, place }) => {
    const facts = camera ? cameraFacts(camera) : [];
    return facts.length > 0 || place ? [{ key, facts, place: place && locationFacts(place) }] : [];
  });
}
