import type { Random } from "../random.ts";
import { blank, develop, drawOver } from "./raster.ts";
import { type Hour, lightOf } from "./daylight.ts";
import { cloudsOf, paintSky } from "./sky.ts";
import type { Land } from "./lands.ts";
import { paintLand } from "./terrain.ts";
import { paintWater } from "./water.ts";
import { extrasOver, type Extra } from "./extras.ts";

/** Painted this much larger than shown, so that edges come out soft. */
const oversize = 1.25;

export type LandscapeSubject = { land: Land; hour: Hour; extra: Extra };

/** A wide view: sky, land or sea, light of an hour, sometimes a boat or balloons in it. */
export async function landscape(
  subject: LandscapeSubject,
  size: { width: number; height: number },
  random: Random,
): Promise<Buffer> {
  const raster = blank(Math.round(size.width * oversize), Math.round(size.height * oversize));
  const light = lightOf(subject.hour, random);
  const low = subject.land === "sea" || subject.land === "islands" || subject.land === "lake";
  const horizon = raster.height * random.between(low ? 0.42 : 0.38, low ? 0.64 : 0.56);
  const side = random.chance(0.5) ? random.between(0.14, 0.38) : random.between(0.62, 0.86);
  const sun = { x: raster.width * side, y: horizon * (1 - light.elevation) };
  const clouds = cloudsOf(subject.hour, random);
  paintSky(raster, { light, clouds, horizon, sun, random });
  const haze = random.between(0.1, subject.hour === "dawn" ? 1 : 0.6);
  const water = paintLand(raster, { land: subject.land, light, horizon, sun, haze, random });
  const wind = subject.land === "lake" ? random.between(0.03, 0.22) : random.between(0.35, 0.85);
  if (low) paintWater(raster, { water, light, horizon, sun, wind, random });
  const drawings = extrasOver(subject.extra, { ...raster, horizon, light, random });
  const whole = drawings.length > 0 ? await drawOver(raster, ...drawings) : raster;
  return develop(whole, {
    ...size,
    random,
    grain: random.between(2.5, 6),
    vignette: random.between(0.15, 0.4),
    bloom: subject.hour === "noon" ? 0.12 : 0.3,
    warmth: random.between(-0.3, 0.7),
  });
}
