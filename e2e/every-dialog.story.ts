/* oxlint-disable unicorn/consistent-function-scoping -- what runs in a page has nothing around it */
import type { Locator, Page } from "@playwright/test";
import { bareTexts } from "./support/bare-texts.ts";
import { stageEveryScreen, type Screens } from "./support/every-screen.ts";
import { textFaults } from "./support/legible.ts";
import { plainPhoto } from "./support/photos.ts";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import { expect, phone, test } from "./support/stories.ts";

/*
 * Every button of these screens is pressed once, and in what it opens every button once more: menus, dialogs, and
 * what is said when the server fails, for here it fails whenever something is to be written. So nothing changes, and
 * what a button does is found again and again.
 */
test.describe.configure({ mode: "default", timeout: 900_000 });

const language = "en-XA";
let server: PostcardServer;
let screens: Screens;

test.beforeAll(async () => {
  server = await startPostcard({ LANGUAGES: `en,${language}` });
  screens = await stageEveryScreen(server.url);
});
test.afterAll(async () => {
  await server.stop();
});

/** How a scene is set: its address, and what is done there before buttons are pressed. */
type Scene = { path: string; begin?: (page: Page) => Promise<unknown> };

function memberScenes(): Record<string, Scene> {
  const { reader, of } = screens;
  const find = (pattern: RegExp) => of.member.find((path) => pattern.test(path)) ?? "/";
  const [photo = "/"] = of.member;
  const choose = async (page: Page) => {
    await page
      .locator("main input[type=file]")
      .first()
      .setInputFiles(await plainPhoto());
    await page.locator("main img").first().waitFor();
  };
  const write = async (page: Page) => {
    await page.locator("main textarea").last().fill("-");
    await page.locator("main textarea").last().press("Enter");
  };
  return {
    home: { path: "/" },
    photo: { path: photo },
    "a comment": { path: photo, begin: write },
    own: { path: find(new RegExp(`/${reader.username}/1$`)) },
    person: { path: find(/^\/search\/[^?]+$/) },
    profile: { path: "/profile" },
    chats: { path: "/chat" },
    chat: { path: find(/^\/chat\/./) },
    "a message": { path: find(/^\/chat\/./), begin: write },
    album: { path: find(/^\/album\/[\w-]+$/) },
    members: { path: find(/\/members$/) },
    "new album": { path: "/album/new" },
    collection: { path: find(/^\/saved\/collections\/[\w-]{30,}$/) },
    composer: { path: "/upload" },
    "composer with a photo": { path: "/upload", begin: choose },
    "edit profile": { path: "/profile/edit" },
    following: { path: `/profile/following/${reader.id}` },
    link: { path: "/profile/link" },
    notifications: { path: "/notifications" },
    search: { path: "/search" },
    ...Object.fromEntries(
      ["", "/data", "/data/bring", "/delete", "/email", "/private", "/friends", "/links"]
        .concat("/blocked", "/words", "/notifications", "/security", "/security/apps")
        .map((pane) => [`settings${pane}`, { path: `/settings${pane}` }]),
    ),
  };
}

const visitorScenes = (): Record<string, Scene> =>
  Object.fromEntries(
    [...screens.of.visitor.slice(0, 1), "/signIn", "/signUp", "/signIn/forgot", "/signIn/code"].map(
      (path) => [path, { path }],
    ),
  );

for (const failure of ["fails", "is out of reach"] as const) {
  test(`in the pseudo-language every dialog and menu is made of messages while the server ${failure}, and none is cut`, async ({
    open,
  }) => {
    const found = [
      ...(await tour(await begin(open, screens.reader, failure), memberScenes())),
      ...(await tour(await begin(open, null, failure), visitorScenes())),
    ];
    expect(found.join("\n")).toBe("");
  });
}

type Open = Parameters<Parameters<typeof test>[2]>[0]["open"];

async function begin(open: Open, who: Screens["reader"] | null, failure: string): Promise<Page> {
  const page = await open(who, {
    baseURL: server.url,
    locale: language,
    viewport: phone,
    hasTouch: true,
    reducedMotion: "reduce",
    expects: /status of [45]\d\d|ERR_FAILED|Failed to/,
  });
  await page.route("**", (route) => {
    if (route.request().method() === "GET") return route.fallback();
    return failure === "fails" ? route.fulfill({ status: 500, body: "" }) : route.abort();
  });
  return page;
}

const layer = "dialog[open], [popover]:popover-open";
const outside = "main button, main summary, header [popovertarget]";
const inside = "button, summary, [role=menuitem]";

/** Sets each scene, and presses what was not pressed in an earlier one. */
async function tour(page: Page, scenes: Record<string, Scene>): Promise<string[]> {
  const found = new Set<string>();
  const pressed = new Set<string>();
  for (const [name, scene] of Object.entries(scenes)) {
    const set = async () => {
      await page.goto(scene.path);
      await expect(page.locator("html[data-alive]")).toBeAttached();
      await scene.begin?.(page);
      await settled(page);
    };
    const look = async (where: string) => {
      await settled(page);
      for (const fault of await faultsOf(page)) found.add(`${where}: ${fault}`);
    };
    await set();
    await look(name);
    for (const [at, button] of await newOnes(page.locator(outside), pressed)) {
      await set();
      const opener = page.locator(outside).nth(at);
      if (!(await press(opener))) continue;
      await look(`${name}, ${button}`);
      for (const [below, next] of await newOnes(page.locator(layer).locator(inside), pressed)) {
        await set();
        if (!(await press(opener))) break;
        await settled(page);
        if (!(await press(page.locator(layer).locator(inside).nth(below)))) continue;
        await look(`${name}, ${button}, ${next}`);
      }
    }
  }
  // Something was opened, and something in it.
  expect(pressed.size).toBeGreaterThan(10);
  return [...found];
}

/** Those that are shown and were not pressed yet, by their places and what they say. */
async function newOnes(buttons: Locator, pressed: Set<string>): Promise<[number, string][]> {
  const all = await buttons.evaluateAll((elements) =>
    elements.map((element) =>
      element.checkVisibility() && !element.matches(":disabled, [aria-disabled=true]")
        ? (element.getAttribute("aria-label") ?? element.textContent ?? "").trim()
        : "",
    ),
  );
  const fresh: [number, string][] = [];
  for (const [at, text] of all.entries()) {
    const kind = screens.words.reduce((left, word) => left.replaceAll(word, ""), text);
    if (text === "" || pressed.has(kind)) continue;
    pressed.add(kind);
    fresh.push([at, text.slice(0, 40)]);
  }
  return fresh;
}

/** False where it cannot be pressed: something else is in front of it. */
const press = (button: Locator): Promise<boolean> =>
  button.click({ timeout: 2000 }).then(
    () => true,
    () => false,
  );

/** Until nothing has changed for a moment: what was pressed may load a dialog first, or go to another page. */
async function settled(page: Page): Promise<void> {
  const quiet = () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let last = setTimeout(resolve, 250);
          const changes = new MutationObserver(() => {
            clearTimeout(last);
            last = setTimeout(resolve, 250);
          });
          changes.observe(document, { subtree: true, childList: true, attributes: true });
          setTimeout(resolve, 3000);
        }),
    );
  await quiet().catch(async () => {
    await page.waitForLoadState();
    await quiet();
  });
}

/** Names have as much room as is left, and are broken anywhere. */
async function faultsOf(page: Page): Promise<string[]> {
  const cut = await textFaults(page, { excerpts: true });
  return [
    ...(await bareTexts(page, [...screens.words, "plain.jpg"])).map(
      (text) => `no message: ${text}`,
    ),
    ...cut.filter((fault) => !screens.words.some((word) => fault.includes(`: ${word} `))),
  ];
}
