const accented: Record<string, string> = {
  ...{
    a: "á",
    b: "ƀ",
    c: "ç",
    d: "ð",
    e: "é",
    f: "ƒ",
    g: "ĝ",
    h: "ĥ",
    i: "î",
    j: "ĵ",
    k: "ķ",
    l: "ļ",
  },
  ...{
    m: "ɱ",
    n: "ñ",
    o: "ö",
    p: "þ",
    q: "ɋ",
    r: "ŕ",
    s: "š",
    t: "ţ",
    u: "û",
    v: "ṽ",
    w: "ŵ",
    x: "ẋ",
  },
  ...{
    y: "ý",
    z: "ž",
    A: "Å",
    B: "Ɓ",
    C: "Ç",
    D: "Ð",
    E: "É",
    F: "Ƒ",
    G: "Ĝ",
    H: "Ĥ",
    I: "Î",
    J: "Ĵ",
  },
  ...{
    K: "Ķ",
    L: "Ļ",
    M: "Ṁ",
    N: "Ñ",
    O: "Ö",
    P: "Þ",
    Q: "Ɋ",
    R: "Ŕ",
    S: "Š",
    T: "Ţ",
    U: "Û",
    V: "Ṽ",
  },
  ...{ W: "Ŵ", X: "Ẋ", Y: "Ý", Z: "Ž" },
};

/** German and Finnish are about that much longer than English. */
const longer = 0.35;

/**
 * An English message as the pseudo-language has it: readable, in brackets that show where it is cut off, and longer.
 * Values and marks stay: `{name}`, `<link>…</link>`.
 */
export function pseudo(message: string): string {
  const letters = message
    .split(/(\{\w+\}|<\/?\w+>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, accent)))
    .join("");
  return `[${letters}${"~".repeat(Math.ceil(message.length * longer))}]`;
}

const accent = (letter: string) => accented[letter] ?? letter;
