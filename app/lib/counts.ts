const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 9,999 as it is, more in short: 12.3K. */
export function shortCount(count: number): string {
  return count < 10_000 ? whole.format(count) : short.format(count);
}

/** "1 like", "12 likes" */
export function inWords(count: number, thing: string): string {
  return `${whole.format(count)} ${thing}${count === 1 ? "" : "s"}`;
}
