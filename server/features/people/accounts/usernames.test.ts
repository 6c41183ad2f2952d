import { expect, test } from "vitest";
import { suggestUsername } from "#server/features/people/accounts/usernames.ts";
import { isUsername } from "#shared/usernames.ts";

test.each([
  ["Þorsteinn Þór Sigurðarson", "thorsteinn_thor_sigurd"],
  ["Ægir Össur", "aegir_ossur"],
  ["Γιώργος Νίκου", "giorgos_nikoy"],
  ["Юрий Гольц", "yuriy_golts"],
  ["山田 たろう", "shantian_tarou"],
  ["محمد علي", "mhmd_ly"],
  ["José A\u0301ngel Weiß", "jose_angel_weiss"],
  ["Mary-Jane O'Brien", "mary_jane_o_brien"],
  ["Ada 🎉 Lovelace 👩‍🚀", "ada_lovelace"],
  ["می\u200cخواهم", "mykhwhm"],
])("%s goes by %s", (name, username) => {
  expect(suggestUsername(name)).toBe(username);
  expect(isUsername(username)).toBe(true);
});

test("a name without letters or digits suggests nothing", () => {
  for (const name of ["", " ", "🎉🎉🎉", "👩‍🚀", "!?", "Ed", "\u0301\u0301\u0301"]) {
    expect(suggestUsername(name), name).toBeNull();
  }
});

test("the longest name leaves room for a suffix", () => {
  for (const letter of ["a", "Щ", "龍", "ﷺ"]) {
    expect(suggestUsername(letter.repeat(100))).toMatch(/^[a-z0-9]{22}$/);
  }
});
