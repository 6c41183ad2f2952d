import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createElement, type ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin } from "vite";

const list = fileURLToPath(new URL("./app/ui/icons.ts", import.meta.url));
const phosphorLine = /export \{ (\w+) \} from "(@phosphor-icons\/react\/dist\/csr\/(\w+))";/g;

/** The two weights we draw, and what stands behind an icon's name in the sheet. */
const weights = { regular: "", fill: "-fill" };

/**
 * Draws every icon of app/ui/icons.ts from one sheet, `/assets/icons-….svg`, by `<use>`: as
 * components they would be script that every screen loads, parses and hydrates, and paths written
 * into the page again with every button. Why: docs/decisions/0045-icons-are-a-sheet.md
 */
export function iconsFromOneSheet(): Plugin {
  return {
    name: "icons-from-one-sheet",
    enforce: "pre",
    transform: {
      filter: { id: /app\/ui\/icons\.ts$/ },
      handler: async (code) => {
        const icons = code.replace(
          phosphorLine,
          (_line, icon: string, _path: string, name: string) =>
            `export const ${icon} = /* @__PURE__ */ fromSheet("${name}");`,
        );
        return { code: `${fromSheet((await readSheet()).address)}\n${icons}`, map: null };
      },
    },
    async generateBundle() {
      if (this.environment.name !== "client") return;
      const { address, source } = await readSheet();
      this.emitFile({ type: "asset", fileName: address.slice(1), source });
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const { address, source } = await readSheet();
        if (request.url !== address) return next();
        response.setHeader("Content-Type", "image/svg+xml").end(source);
      });
    },
  };
}

/** An icon that takes the attributes of an `<svg>`, and `weight`. */
const fromSheet = (address: string) => `
import { createElement } from "react";
const fromSheet = (name) => ({ weight, ...attributes }) =>
  createElement(
    "svg",
    { width: "1em", height: "1em", fill: "currentColor", ...attributes },
    createElement("use", { href: "${address}#" + name + (weight === "fill" ? "-fill" : "") }),
  );`;

type Sheet = { address: string; source: string };

/** One `<symbol>` for each icon and weight; the address changes with the drawings. */
async function readSheet(): Promise<Sheet> {
  const lines = [...(await readFile(list, "utf8")).matchAll(phosphorLine)];
  const symbols = await Promise.all(
    lines.map(async ([, icon = "", path = "", name = ""]) => {
      const { [icon]: Icon } = (await import(path)) as Record<string, ComponentType<object>>;
      if (!Icon) throw new Error(`app/ui/icons.ts: ${path} has no ${icon}`);
      return Object.entries(weights).map(([weight, suffix]) => {
        const drawn = renderToStaticMarkup(createElement(Icon, { weight } as object));
        const [, paths = ""] = /^<svg[^>]*>(.*)<\/svg>$/.exec(drawn) ?? [];
        return `<symbol id="${name}${suffix}" viewBox="0 0 256 256">${paths}</symbol>`;
      });
    }),
  );
  const source = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.flat().join("")}</svg>`;
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  return { address: `/assets/icons-${hash}.svg`, source };
}
