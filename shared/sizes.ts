import type { StorageView } from "#shared/views.ts";

const units = [
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
] as const;

/** Bytes as people read them, rounded down to one decimal: "1.2 GB", "340 MB", "0 MB". */
export function formatSize(bytes: number): string {
  const [unit, size] = units.find(([, each]) => bytes >= each) ?? ["MB", 1e6];
  return `${Math.floor((bytes / size) * 10) / 10} ${unit}`;
}

/** Reads "10 GB", "500mb", "1.5 TB"; null for anything else. */
export function parseSize(text: string): number | null {
  const [, number = "", unit = ""] =
    /^(\d{1,6}(?:\.\d{1,3})?)\s*([kmgt]b)$/i.exec(text.trim()) ?? [];
  const found = units.find(([name]) => name.toLowerCase() === unit.toLowerCase());
  return found ? Math.round(Number(number) * found[1]) : null;
}

/** "1.2 GB of 10 GB". */
export function formatUsage({ bytes, quota }: StorageView): string {
  return quota === null ? formatSize(bytes) : `${formatSize(bytes)} of ${formatSize(quota)}`;
}
