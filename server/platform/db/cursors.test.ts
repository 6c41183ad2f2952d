import { describe, expect, test } from "vitest";
import { idAbove, idBelow, toPage, writeCursor } from "#server/platform/db/cursors.ts";
import { isId, newId } from "#server/platform/db/ids.ts";

describe("ids", () => {
  test("are UUIDv7 of the current time that always grow, even within a millisecond", () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, newId);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
    const time = Number.parseInt((ids[0] as string).replace("-", "").slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  test("are distinguished from other texts", () => {
    expect(isId(newId())).toBe(true);
    for (const text of ["", "x", `${newId()} `, `{${newId()}}`, newId().replaceAll("-", "")]) {
      expect(isId(text), text).toBe(false);
    }
  });
});

describe("cursors", () => {
  test("hold the position after the last item shown, and are null at the end", () => {
    const ids = Array.from({ length: 3 }, newId);
    const rows = ids.map((id) => ({ key: [id], item: id }));
    const page = toPage(rows, 2);
    expect(page.items).toEqual(ids.slice(0, 2));
    expect(idBelow(page.nextCursor)).toBe(ids[1]);
    expect(idAbove(page.nextCursor)).toBe(ids[1]);
    expect(toPage(rows, 3)).toEqual({ items: ids, nextCursor: null });
    expect(toPage([], 3)).toEqual({ items: [], nextCursor: null });
  });

  test("can be put into an address without encoding", () => {
    expect(writeCursor([newId(), 1, "ü/?&"])).toMatch(/^[\w-]+$/);
  });

  test("include every id when they are null", () => {
    const id = newId();
    expect(idBelow(null) > id).toBe(true);
    expect(idAbove(null) < id).toBe(true);
  });

  test.each(["", "x", "bnVsbA", writeCursor(["nonsense"]), writeCursor([newId(), 1]), "\u0000"])(
    "that are broken are refused (%j)",
    (cursor) => {
      expect(() => idBelow(cursor)).toThrow(expect.objectContaining({ code: "input-invalid" }));
    },
  );
});
