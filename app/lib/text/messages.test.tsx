import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { commaList, counted, fill, rich } from "#app/lib/text/messages.tsx";

describe("a message", () => {
  test("gets its values wherever it names them, and takes none of them for a name", () => {
    expect(fill("{name} (draft) of {name}", { name: "{count} $& Ada" })).toBe(
      "{count} $& Ada (draft) of {count} $& Ada",
    );
  });

  test("says numbers by the plural forms of its language, with their separators", () => {
    const forms = { one: "{count} photo", other: "{count} photos" };
    expect([0, 1, 2, 1234].map((count) => counted(forms, count))).toEqual([
      "0 photos",
      "1 photo",
      "2 photos",
      "1,234 photos",
    ]);
  });

  test("has elements around its words and in the place of values, in the order of the language", () => {
    const parts = {
      rules: (text: string) => <a href="/rules">{text}</a>,
      name: <bdi>{"<b>"}</bdi>,
    };
    const shown = (message: string) => renderToStaticMarkup(rich(message, parts));
    expect(shown("{name} agrees to the <rules>house rules</rules>.")).toBe(
      '<bdi>&lt;b&gt;</bdi> agrees to the <a href="/rules">house rules</a>.',
    );
    expect(shown("Den <rules>Regeln</rules> stimmt {name} zu")).toBe(
      'Den <a href="/rules">Regeln</a> stimmt <bdi>&lt;b&gt;</bdi> zu',
    );
    expect(shown("Nothing but words")).toBe("Nothing but words");
  });

  test("puts what is in a list one after the other, with the comma of the language", () => {
    expect(commaList([])).toBe("");
    expect(commaList(["Ana"])).toBe("Ana");
    expect(commaList(["Ana", "{first}", "Cleo"])).toBe("Ana, {first}, Cleo");
  });
});
