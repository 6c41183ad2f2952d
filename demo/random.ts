/** Pseudo-random numbers that depend on nothing but their keys. */
export type Random = {
  /** from 0 up to, but not including, 1 */
  next: () => number;
  between: (low: number, high: number) => number;
  /** a whole number, both ends included */
  integer: (low: number, high: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  /** one of the keys, as often as its weight says */
  weighted: <K extends string>(weights: Record<K, number>) => K;
  shuffled: <T>(list: readonly T[]) => T[];
  /** bell curve around 0 with a deviation of 1 */
  normal: () => number;
};

/**
 * A separate stream for every combination of keys: what is drawn for one account or photo never affects what
 * is drawn for another, so a town can grow without changing.
 */
export function randomOf(...keys: (string | number)[]): Random {
  const next = stream(hash(keys.join("\u001f")));
  const between = (low: number, high: number) => low + (high - low) * next();
  const integer = (low: number, high: number) => Math.floor(between(low, high + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error("Nothing to pick from.");
    return list[integer(0, list.length - 1)] as T;
  };
  return {
    next,
    between,
    integer,
    chance: (probability) => next() < probability,
    pick,
    weighted: (weights) => {
      const entries = Object.entries<number>(weights);
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        rest -= weight;
        if (rest < 0) return key as keyof typeof weights;
      }
      return entries.at(-1)?.[0] as keyof typeof weights;
    },
    shuffled: (list) => {
      const copy = [...list];
      for (let i = copy.length - 1; i > 0; i -= 1) {
        const j = integer(0, i);
        [copy[i], copy[j]] = [copy[j] as never, copy[i] as never];
      }
      return copy;
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Four words of state from any text: cyrb128 by bryc (public domain). */
function hash(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}

/** sfc32 by Chris Doty-Humphrey (public domain). */
function stream([a, b, c, d]: [number, number, number, number]): () => number {
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i += 1) next();
  return next;
}
