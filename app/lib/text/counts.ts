let short: Intl.NumberFormat | undefined;

/** 9,999 as it is, more in short: 12.3K. */
export function compactCount(count: number): string {
  if (count < 10_000) return whole(count);
  short ??= new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  return short.format(count);
}

/** "1 like", "12 likes" */
export function formatCount(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** With thousands separators. Without Intl, whose formatters keep a phone busy while a page loads. */
function whole(count: number): string {
  // oxlint-disable-next-line regexp/no-super-linear-move -- a number has 16 digits
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
