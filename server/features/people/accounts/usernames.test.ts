import { expect, test } from "vitest";
import { isMakeshift, suggestUsername } from "#server/features/people/accounts/usernames.ts";
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

test.each([
  // name, username made from it
  ["نور الدين", "nwr_ldyn"],
  ["محمد علي", "mhmd_ly_a2b3"],
  ["שרה כהן", "srh_khhn"],
  ["สมชาย ใจดี", "smchay_aichdi"],
  ["", "user_zfwyt7e"],
  ["Ada Lovelace", "user_zfwyt7e"],
])("%j cannot be read in %s", (name, username) => {
  const base = suggestUsername(name);
  if (base !== null && !username.startsWith("user_")) expect(username.startsWith(base)).toBe(true);
  expect(isMakeshift(username, name)).toBe(true);
});

test.each([
  ["Ada Lovelace", "ada_lovelace"],
  ["Þór Örn", "thor_orn_a2b3"],
  ["Юрий Гольц", "yuriy_golts"],
  ["김철수", "gimcheolsu"],
  // chosen, whatever the name
  ["محمد علي", "mo_ali"],
  ["محمد علي", "mhmd_ly_the_second"],
  ["محمد علي", "mhmd_lysander"],
  ["", "user_of_words"],
  ["", "user_1000000"],
])("%j can be read in %s, or chose it", (name, username) => {
  expect(isMakeshift(username, name)).toBe(false);
});
