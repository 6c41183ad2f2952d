import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";

/*
 * What a browser must not load before a screen is alive. How much it receives in all is counted where it
 * receives it: e2e/first-visit.story.ts.
 */

const client = fileURLToPath(new URL("../build/client", import.meta.url));

type Part = { module: string; imports?: string[] };
type Manifest = { entry: Part; routes: Record<string, Part & { parentId?: string }> };

function readManifest(): Manifest {
  const name = readdirSync(join(client, "assets")).find((file) => /^manifest-.*\.js$/.test(file));
  const text = readFileSync(join(client, "assets", name ?? ""), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as Manifest;
}

const manifest = readManifest();
const textOf = (file: string) => readFileSync(join(client, file), "utf8");

function brotliBytes(file: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return brotliCompressSync(readFileSync(join(client, file)), { params }).length;
}

/** A route and those it stands in. */
function routesOf(id: string | undefined): Part[] {
  const route = id === undefined ? undefined : manifest.routes[id];
  return route ? [...routesOf(route.parentId), route] : [];
}

/** The scripts of the document, the shell and a screen, shared files once. */
function firstLoad(screen: string): string[] {
  const routes = routesOf(`screens/${screen}`);
  if (routes.length < 2)
    throw new Error(`No screen is called ${screen}, or it stands in no document`);
  const parts = [manifest.entry, ...routes];
  return [...new Set(parts.flatMap(({ module, imports = [] }) => [module, ...imports]))];
}

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

describe("what waits until it is needed", () => {
  /** Words of each part that only its own code has. */
  const waiting = [
    ["the dialogs", "showModal"],
    ["the stream of events", "text/event-stream"],
    ["the pictures opened large", "data-zoomed:cursor-grab"],
    ["the arrows of a set of photos", "group-hover/set:opacity-100"],
    ["the keyboard's help sheet", "Keyboard shortcuts"],
    ["the toasts", "startPause"],
    ["what listens to the keyboard", "dialog[open], :popover-open"],
    ["the emoji", "Hands and hearts"],
    ["names and tags to choose while one writes", "aria-activedescendant"],
    ["the readers of exports, and zod with them", "ZodError"],
  ] as const;

  test.each(waiting)("%s are in no screen's first load", (_part, word) => {
    const files = readdirSync(join(client, "assets")).filter((file) => file.endsWith(".js"));
    const holders = files.filter((file) => textOf(`assets/${file}`).includes(word));
    expect(holders, `nothing built has "${word}" any more`).not.toEqual([]);
    for (const id of Object.keys(manifest.routes)) {
      if (!id.startsWith("screens/")) continue;
      // What this page shows first is a dialog.
      if (id === "screens/sign-out" && word === "showModal") continue;
      const scripts = firstLoad(id.slice("screens/".length));
      expect(
        scripts.filter((file) => textOf(file).includes(word)),
        id,
      ).toEqual([]);
    }
  });

  test("conversations are in the first load of their own screen alone", () => {
    const word = "Waiting to be sent";
    const withConversations = Object.keys(manifest.routes)
      .filter((id) => id.startsWith("screens/"))
      .filter((id) => {
        const scripts = firstLoad(id.slice("screens/".length));
        return scripts.some((file) => textOf(file).includes(word));
      });
    expect(withConversations).toEqual(["screens/conversation"]);
  });

  test("zod stays on the server, and with what reads an export on one's device", () => {
    const scripts = readdirSync(join(client, "assets")).filter((file) => file.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(10);
    const withZod = scripts.filter((file) =>
      /ZodError|ZodType|\$Zod|invalid_union/.test(textOf(`assets/${file}`)),
    );
    expect(withZod).toEqual([expect.stringMatching(/^read-export-/)]);
  });
});

describe("the sheet of icons", () => {
  const name = readdirSync(join(client, "assets")).find((file) => /^icons-.*\.svg$/.test(file));
  const sheet = `assets/${name}`;

  test("has every icon that is drawn, in both weights", () => {
    const listed = readFileSync(new URL("../app/ui/icons.ts", import.meta.url), "utf8");
    const names = [...listed.matchAll(/= fromSheet\("(\w+)"\)/g)].map(([, icon]) => icon);
    const symbols = [...textOf(sheet).matchAll(/<symbol id="([\w-]+)"[^>]*><path d="M/g)];
    expect(symbols.map(([, id]) => id)).toEqual(names.flatMap((icon) => [icon, `${icon}-fill`]));
    expect(names.length).toBeGreaterThan(20);
  });

  test("is asked for by the address it has", () => {
    const files = readdirSync(join(client, "assets")).filter((file) => file.endsWith(".js"));
    expect(files.filter((file) => textOf(`assets/${file}`).includes(`/${sheet}`))).toHaveLength(1);
  });

  test("is at most 8 kB", () => {
    process.stdout.write(`icons     ${kB(brotliBytes(sheet))}\n`);
    expect(brotliBytes(sheet)).toBeLessThanOrEqual(8_000);
  });
});
