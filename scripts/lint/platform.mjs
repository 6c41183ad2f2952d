// The platform is what any web product has, so it knows no feature: it imports itself, adapters, the
// configuration and what both sides share, the messages too. Adapters and the configuration follow the same rule: what
// they knew, the platform would know through them. The supervisor's part of a protocol is in scripts/lib.
import { posix, relative } from "node:path";
import { fileURLToPath } from "node:url";

const platform = ["server/platform/", "server/adapters/", "server/config.ts"];
const known = [...platform, "shared/", "messages/", "scripts/lib/"];

const root = fileURLToPath(new URL("../../", import.meta.url));
const isIn = (parts, path) =>
  parts.some((part) => (part.endsWith("/") ? path.startsWith(part) : path === part));

/** The path of an imported module relative to the project's root; null for what comes from npm or Node. */
function pathOf(source, file) {
  if (source.startsWith("#")) return source.slice(1);
  return source.startsWith(".") ? posix.join(posix.dirname(file), source) : null;
}

const rule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const file = relative(root, context.filename).replaceAll("\\", "/");
    if (!isIn(platform, file) || file.endsWith(".test.ts")) return {};
    const check = (node) => {
      const source = node.source?.value;
      const path = typeof source === "string" ? pathOf(source, file) : null;
      if (path === null || isIn(known, path)) return;
      context.report({
        node,
        message: `The platform and what it imports know nothing of ${path}: let it be given.`,
      });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

export default { meta: { name: "platform" }, rules: { "knows-no-feature": rule } };
