import type { ByteRange } from "#server/adapters/image-store/image-store.ts";

/**
 * The one range that a `Range` header asks for (RFC 9110, section 14.2). Null stands for "send it all": no
 * header, another unit, several ranges, something that isn't a range.
 */
export function parseRange(
  header: string | undefined,
  bytes: number,
): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(" ", "") ?? "");
  const [from, to] = [match?.[1] ?? "", match?.[2] ?? ""];
  if (from === "" && to === "") return null;
  const last = bytes - 1;
  if (from === "") {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: last };
  }
  const start = Number(from);
  const end = to === "" ? last : Math.min(Number(to), last);
  if (to !== "" && Number(to) < start) return null;
  return start > last ? "unsatisfiable" : { start, end };
}

/** Whether `If-None-Match` names this entity tag (RFC 9110, section 13.1.2: weak comparison). */
export function matchesEtag(header: string | undefined, tag: string): boolean {
  return (header ?? "")
    .split(",")
    .map((entry) => entry.trim().replace(/^W\//, ""))
    .some((entry) => entry === tag || entry === "*");
}
