/** A source of numbers in [0, 1) that gives the same ones for the same seed. */
export type Random = () => number;

/**
 * A separate generator for each item: `randomOf(seed, "post", author, number)` always answers the same, so
 * nothing has to be held in memory to be consistent. Mixing and stepping as in splitmix32.
 */
export function randomOf(...seed: (string | number)[]): Random {
  let state = 0x9e3779b9;
  for (const part of seed) {
    if (typeof part === "number") {
      state = mix(state ^ (part | 0));
    } else {
      for (let index = 0; index < part.length; index += 1) {
        state = mix(state ^ part.charCodeAt(index));
      }
    }
  }
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 4294967296;
  };
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** A whole number from 0 to `bound` - 1. */
export function below(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}

/** A number around `mean` with large outliers, like real activity. */
export function skewed(random: Random, mean: number, spread: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const normal = radius * Math.cos(2 * Math.PI * random());
  return Math.exp(Math.log(mean) - spread ** 2 / 2 + spread * normal);
}

/** `length` hexadecimal digits. */
function hex(random: Random, length: number): string {
  let digits = "";
  while (digits.length < length) {
    digits += below(random, 0x10000).toString(16).padStart(4, "0");
  }
  return digits.slice(0, length);
}

/** A UUIDv7 (RFC 9562, 5.7) of that millisecond. */
export function uuidAt(ms: number, random: Random): string {
  const time = ms.toString(16).padStart(12, "0");
  const tail = hex(random, 18);
  const variant = (8 + below(random, 4)).toString(16);
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-` +
    `${variant}${tail.slice(3, 6)}-${tail.slice(6, 18)}`
  );
}

/**
 * Draws ranks 0…`count` - 1, rank r with weight 1 / (r + 1)^exponent (Zipf): a few are drawn
 * very often.
 */
export function zipf(count: number, exponent: number) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1) ** exponent;
    sums[rank] = sum;
  }
  const draw = (random: Random): number => {
    const wanted = random() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  /** `amount` different ranks, fewer when the popular ones keep coming up. */
  const drawSome = (random: Random, amount: number): number[] => {
    const chosen = new Set<number>();
    for (let tries = 0; chosen.size < amount && tries < amount * 12; tries += 1) {
      chosen.add(draw(random));
    }
    return [...chosen];
  };
  /** Exactly `amount` different ranks: one drawing key each, the smallest win (Efraimidis, Spirakis). */
  const drawExactly = (random: Random, amount: number): number[] =>
    Array.from({ length: count }, (_, rank) => ({
      rank,
      key: -Math.log(1 - random()) * (rank + 1) ** exponent,
    }))
      .sort((one, other) => one.key - other.key)
      .slice(0, amount)
      .map(({ rank }) => rank);
  return { drawSome, drawExactly };
}
