import { randomOf } from "../random.ts";
import { bioOf } from "./bios.ts";
import { fixedPeople, type Named, origins, type Language } from "./names.ts";

/** One account. Everything follows from the seed and the index, never from the town's size. */
export type DemoProfile = Named & {
  index: number;
  email: string;
  language: Language;
  zone: string;
  bio: string;
  /** what they like to photograph, most loved first: indices into the list of themes */
  tastes: number[];
  /** neighbours and friends: accounts of one circle know each other */
  circle: number;
  /** 0 to 1: how many accounts want to follow this one */
  fame: number;
  /** 0 to 1: how often they post, like and comment */
  zeal: number;
};

const circleSize = 9;
export const themeCount = 13;

export function profileOf(seed: string, index: number): DemoProfile {
  const random = randomOf(seed, "person", index);
  const named = fixedPeople[index] ?? draw(random);
  const home = origins[named.origin] ?? (origins[0] as (typeof origins)[number]);
  const circle = Math.floor(index / circleSize);
  return {
    ...named,
    index,
    email: emailOf(seed, index),
    language: home.language,
    zone: random.chance(0.7) ? "Europe/Lisbon" : home.zone,
    // A profile is saved with both names, so an account without one has no bio either.
    bio:
      named.first === "" || named.second === "" || random.chance(0.1)
        ? ""
        : bioOf(random, home.language),
    tastes: random.shuffled([...Array(themeCount).keys()]),
    circle,
    // A few are known to everybody, most to their friends.
    fame: index < 2 ? 0.75 : random.next() ** 2.6,
    zeal: index < 2 ? 0.9 : 0.12 + 0.88 * random.next() ** 1.7,
  };
}

/** The key of an account: the same account in every run. Towns of other seeds can exist beside this one. */
function emailOf(seed: string, index: number): string {
  const name = ["marta", "liam"][index] ?? `person${index + 1}`;
  return `${name}@${seed}.example`;
}

function draw(random: ReturnType<typeof randomOf>): Named {
  const origin = random.integer(0, origins.length - 1);
  const home = origins[origin] as (typeof origins)[number];
  const look = random.chance(0.5) ? ("woman" as const) : ("man" as const);
  const second = random.pick(home.families);
  // Now and then a field is left empty.
  if (random.chance(0.03)) return { first: "", second: "", look, origin };
  const first = random.pick(look === "woman" ? home.women : home.men);
  return { first, second: random.chance(0.05) ? "" : second, look, origin };
}
