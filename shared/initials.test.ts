import { expect, test } from "vitest";
import { initialsOf } from "#shared/initials.ts";

test("initials are the first characters of the first and the last name, as people count them", () => {
  expect(initialsOf("Ada Lovelace")).toBe("AL");
  expect(initialsOf("Marta Peñalver Ibáñez")).toBe("MI");
  expect(initialsOf("user_1234")).toBe("U1");
  expect(initialsOf("x")).toBe("X");
  // Decomposed: a character and the accent that joins it.
  expect(initialsOf("e\u0301va o\u0308rn")).toBe("E\u0301O\u0308");
  expect(initialsOf("👩‍👩‍👧‍👦 Family")).toBe("👩‍👩‍👧‍👦F");
  expect(initialsOf("ליאם בן־דוד")).toBe("לב");
});
