import { describe, expect, test } from "vitest";
import { findLinks } from "#shared/find-links.ts";

/** Each link as "what is shown → where it leads". */
const links = (text: string) =>
  findLinks(text).flatMap(({ text: shown, href }) => (href ? [`${shown} → ${href}`] : []));
const shown = (text: string) =>
  findLinks(text)
    .map((piece) => piece.text)
    .join("");

describe("web addresses in a text become links", () => {
  test.each([
    ["See https://example.org/a?b=c#d today", "example.org/a?b=c#d → https://example.org/a?b=c#d"],
    ["HTTP://EXAMPLE.ORG", "EXAMPLE.ORG → http://example.org/"],
    ["www.example.org is enough", "www.example.org → https://www.example.org/"],
    ["(https://example.org/x)", "example.org/x → https://example.org/x"],
    [
      "https://en.example.org/wiki/Post_(card)",
      "en.example.org/wiki/Post_(card) → https://en.example.org/wiki/Post_(card)",
    ],
    ["Really? https://example.org/x?!…", "example.org/x → https://example.org/x"],
    ["«https://example.org»", "example.org → https://example.org/"],
    [
      "https://example.org/ä/日本",
      "example.org/ä/日本 → https://example.org/%C3%A4/%E6%97%A5%E6%9C%AC",
    ],
    ["שלום https://example.org שלום", "example.org → https://example.org/"],
    ["http://192.0.2.1:8080/x", "192.0.2.1:8080/x → http://192.0.2.1:8080/x"],
    ["http://[2001:db8::1]/x", "[2001:db8::1]/x → http://[2001:db8::1]/x"],
  ])("%s", (text, link) => {
    expect(links(text)).toEqual([link]);
  });

  test("several, with the words between them as they were written", () => {
    const text = "a https://one.example\nb\n\nhttps://two.example/ c";
    expect(links(text)).toHaveLength(2);
    expect(shown(text)).toBe("a one.example\nb\n\ntwo.example c");
  });

  test("long ones are shortened on the screen only", () => {
    const address = `https://example.org/${"long/".repeat(40)}`;
    const [piece] = findLinks(address);
    expect(piece?.href).toBe(address);
    expect(piece?.text).toHaveLength(40);
    expect(piece?.text).toMatch(/^example\.org\/long\/.*…$/);
  });
});

describe("text that only looks like an address stays text", () => {
  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt://https.example/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox",
    "file:///etc/passwd",
    "ftp://example.org/x",
    "xhttps://example.org",
    "https://",
    "http://?",
    "https://user:secret@example.org/",
    "https://bank.example@evil.example/",
    "www.",
    "www.example",
    "ana@www.example.org",
    "//example.org/x",
    "example.org",
    "",
  ])("%s", (text) => {
    expect(links(text)).toEqual([]);
    expect(shown(text)).toBe(text);
  });
});

describe("hostile texts", () => {
  test("a link ends where markup or a quote begins", () => {
    expect(links('https://example.org/"onmouseover="alert(1)')).toEqual([
      "example.org → https://example.org/",
    ]);
    expect(links("https://example.org/<script>alert(1)</script>")).toEqual([
      "example.org → https://example.org/",
    ]);
  });

  test("marks that turn the direction of writing never get into a link", () => {
    const [piece] = findLinks("https://example.org/\u202Egro.live");
    expect(piece).toEqual({ text: "example.org", href: "https://example.org/" });
    expect(links("https://exam\u200Bple.org")).toEqual(["exam → https://exam/"]);
    expect(links("https://example.org\u0000.evil.example")).toEqual([
      "example.org → https://example.org/",
    ]);
  });

  test("characters of other scripts in a host lead where a browser leads them", () => {
    expect(links("https://аpple.example/")).toEqual([
      "аpple.example → https://xn--pple-43d.example/",
    ]);
  });

  test("end in time linear in their length", () => {
    for (const text of [
      ")".repeat(2_000) + "https://a.example/" + ")".repeat(200_000),
      "https://".repeat(30_000),
      "www.".repeat(60_000),
      `https://a.example/${"(".repeat(100_000)}`,
      "https://a.example ".repeat(20_000),
    ]) {
      expect(findLinks(text).length).toBeLessThanOrEqual(202);
    }
  });
});
