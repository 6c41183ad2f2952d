import { themeCount } from "../accounts/profiles.ts";
import type { Random } from "../random.ts";
import { facade, type FacadeSubject, wallColors } from "./facade.ts";
import { forest, type ForestSubject } from "./forest.ts";
import { landscape, type LandscapeSubject } from "./landscape.ts";
import { bokeh, skyline, type SkylineSubject } from "./city.ts";
import { meadow, type MeadowSubject } from "./meadow.ts";
import { night, type NightSubject } from "./night.ts";
import { market, type MarketSubject, tileColors, tiles, type TilesSubject } from "./patterns.ts";
import { flowerKinds, fruits } from "./shapes.ts";
import { stillLife, type StillLifeSubject } from "./still-life.ts";
import { tabletop, type TabletopSubject } from "./tabletop.ts";
import { windowSill, type SillSubject } from "./window-sill.ts";
import type { Size } from "./raster.ts";

/** What a photo shows: enough to draw it, to describe it and to talk about it. */
export type Subject =
  | ({ kind: "landscape" } & LandscapeSubject)
  | ({ kind: "night" } & NightSubject)
  | { kind: "bokeh" }
  | ({ kind: "skyline" } & SkylineSubject)
  | ({ kind: "forest" } & ForestSubject)
  | ({ kind: "facade" } & FacadeSubject)
  | ({ kind: "stillLife" } & StillLifeSubject)
  | ({ kind: "tabletop" } & TabletopSubject)
  | ({ kind: "meadow" } & MeadowSubject)
  | ({ kind: "tiles" } & TilesSubject)
  | ({ kind: "market" } & MarketSubject)
  | ({ kind: "sill" } & SillSubject);

const themes: ((random: Random) => Subject)[] = [
  (random) => {
    const land = random.pick(["alps", "lake", "winter", "lake"] as const);
    const hour = random.pick(["dawn", "morning", "noon", "golden", "overcast", "sunset"] as const);
    const extra =
      land === "lake"
        ? random.pick(["sailboats", "none", "birds"] as const)
        : random.pick(["pines", "none", "none", "birds"] as const);
    return { kind: "landscape", land, hour, extra };
  },
  (random) => {
    const land = random.pick(["sea", "islands", "sea"] as const);
    const hour = random.pick([
      "dawn",
      "morning",
      "noon",
      "golden",
      "sunset",
      "dusk",
      "overcast",
    ] as const);
    return {
      kind: "landscape",
      land,
      hour,
      extra: random.pick(["sailboats", "lighthouse", "birds", "none", "sailboats"] as const),
    };
  },
  (random) => ({
    kind: "landscape",
    land: "hills",
    hour: random.pick(["dawn", "morning", "noon", "golden", "sunset", "overcast"] as const),
    extra: random.pick(["balloons", "grasses", "birds", "none"] as const),
  }),
  (random) => ({
    kind: "landscape",
    land: random.pick(["dunes", "canyon", "alps", "winter"] as const),
    hour: random.pick(["dawn", "morning", "golden", "sunset", "golden"] as const),
    extra: random.pick(["none", "birds", "balloons", "none"] as const),
  }),
  (random) => ({
    kind: "night",
    sight: random.pick(["milkyWay", "milkyWay", "aurora", "aurora", "moon"] as const),
  }),
  (random) =>
    random.chance(0.6)
      ? { kind: "bokeh" }
      : { kind: "skyline", hour: random.pick(["sunset", "dusk", "golden"] as const) },
  (random) => ({
    kind: "forest",
    weather: random.pick(["fog", "frost", "sunrise", "autumn"] as const),
  }),
  (random) => ({ kind: "facade", wall: random.pick(wallColors), flowers: random.chance(0.6) }),
  (random) => ({
    kind: "stillLife",
    thing: random.pick(["vase", "bowl", "books"] as const),
    fruit: random.pick(fruits),
    flower: random.pick(["poppies", "daisies", "cornflowers", "cosmos"] as const),
  }),
  (random) => ({
    kind: "tabletop",
    drink: random.pick(["coffee", "tea"] as const),
    food: random.pick(["berries", "tart", "bread", "citrus"] as const),
  }),
  (random) => ({
    kind: "meadow",
    flower: random.pick(flowerKinds),
    light: random.pick(["morning", "evening"] as const),
  }),
  (random) => {
    const draw = random.next();
    return draw < 0.5
      ? { kind: "tiles", color: random.pick(tileColors) }
      : { kind: "market", fruit: random.pick(fruits) };
  },
  (random) => ({
    kind: "sill",
    hour: random.pick(["morning", "golden", "overcast", "dusk"] as const),
    guest: random.pick(["cat", "cat", "plants"] as const),
  }),
];

/** A subject for somebody who prefers some themes. */
export function subjectOf(tastes: readonly number[], random: Random): Subject {
  const rank = Math.min(tastes.length - 1, Math.floor(random.next() ** 2 * themeCount));
  const theme = themes[tastes[rank] ?? 0] ?? themes[0];
  return (theme as (random: Random) => Subject)(random);
}

const wide: Size[] = [
  { width: 1140, height: 760 },
  { width: 1200, height: 675 },
  { width: 1120, height: 840 },
  { width: 1180, height: 620 },
  { width: 1400, height: 590 },
];
const square: Size[] = [
  { width: 900, height: 900 },
  { width: 940, height: 940 },
];
const tall: Size[] = [
  { width: 832, height: 1040 },
  { width: 792, height: 1056 },
  { width: 744, height: 1116 },
  { width: 660, height: 1173 },
];

/** Width and height in pixels, as a phone or an old camera would crop it. */
export function sizeOf(subject: Subject, random: Random): Size {
  const shape =
    subject.kind === "landscape" || subject.kind === "skyline"
      ? random.weighted({ wide: 6, square: 1.5, tall: 2 })
      : random.weighted({ wide: 3, square: 3, tall: 4 });
  return random.pick({ wide, square, tall }[shape]);
}

/** The photo as the bytes of a JPEG; the same for the same numbers, with the same libraries. */
export function paint(subject: Subject, size: Size, random: Random): Promise<Buffer> {
  switch (subject.kind) {
    case "landscape":
      return landscape(subject, size, random);
    case "night":
      return night(subject, size, random);
    case "bokeh":
      return bokeh(subject, size, random);
    case "skyline":
      return skyline(subject, size, random);
    case "forest":
      return forest(subject, size, random);
    case "facade":
      return facade(subject, size, random);
    case "stillLife":
      return stillLife(subject, size, random);
    case "tabletop":
      return tabletop(subject, size, random);
    case "meadow":
      return meadow(subject, size, random);
    case "tiles":
      return tiles(subject, size, random);
    case "market":
      return market(subject, size, random);
    case "sill":
      return windowSill(subject, size, random);
  }
}
