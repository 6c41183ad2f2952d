import type { Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { bareTexts } from "./support/bare-texts.ts";
import { openScreen, stageEveryScreen, type Screens, type Viewer } from "./support/every-screen.ts";
import { textFaults } from "./support/legible.ts";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import { expect, phone, test } from "./support/stories.ts";

// One server for all of them: the others' offers English alone.
test.describe.configure({ mode: "default", timeout: 600_000 });

let server: PostcardServer;
let screens: Screens;

test.beforeAll(async () => {
  server = await startPostcard({ LANGUAGES: "en,de,fr,ar,en-XA" });
  screens = await stageEveryScreen(server.url);
});
test.afterAll(async () => {
  await server.stop();
});

const viewers = ["visitor", "member", "operator"] as const satisfies Viewer[];

for (const viewer of viewers) {
  test(`in the pseudo-language every screen of a ${viewer} is made of messages, and none is cut`, async ({
    open,
  }) => {
    const page = await begin(open, viewer, "en-XA");
    const found = await through(page, viewer, async () => [
      ...(await bareTexts(page, screens.words)).map((text) => `no message: ${text}`),
      ...(await wordFaults(page)),
    ]);
    expect(found.join("\n")).toBe("");
  });
}

for (const language of ["de", "fr", "ar"]) {
  for (const viewer of viewers) {
    test(`every screen of a ${viewer} fits a phone in ${language}, and axe finds nothing`, async ({
      open,
    }) => {
      const page = await begin(open, viewer, language);
      const found = await through(page, viewer, async () => [
        ...(await wordFaults(page)),
        ...(await axeFinds(page)),
      ]);
      expect(found.join("\n")).toBe("");
    });
  }
}

type Open = Parameters<Parameters<typeof test>[2]>[0]["open"];

async function begin(open: Open, viewer: Viewer, locale: string): Promise<Page> {
  const { reader, operator } = screens;
  const who = { visitor: null, member: reader, operator }[viewer];
  return open(who, {
    baseURL: server.url,
    locale,
    viewport: phone,
    reducedMotion: "reduce",
    expects: /status of 4\d\d/,
  });
}

/** Names have as much room as is left, and are broken anywhere. */
async function wordFaults(page: Page): Promise<string[]> {
  const faults = await textFaults(page, { excerpts: true });
  return faults.filter((fault) => !screens.words.some((word) => fault.includes(`: ${word} `)));
}

/** Each line begins with the screen's address. */
async function through(page: Page, viewer: Viewer, look: () => Promise<string[]>) {
  const found: string[] = [];
  for (const address of screens.of[viewer]) {
    await openScreen(page, address);
    found.push(...(await look()).map((fault) => `${address} ${fault}`));
  }
  return found;
}
