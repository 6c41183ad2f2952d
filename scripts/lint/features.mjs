// Features of the screens: no feature in app/features may depend on itself through others, types included.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const features = fileURLToPath(new URL("../../app/features/", import.meta.url));
const featureOf = (path) => /(?:^|[/#])app\/features\/([^/]+)\//.exec(path)?.[1];

/** The features that the files of each one import, read when first needed. */
const imported = new Map();

function importedBy(feature) {
  if (!imported.has(feature)) {
    const files = readdirSync(`${features}/${feature}`, { recursive: true });
    const sources = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(`${features}/${feature}/${file}`, "utf8");
        return text.match(/(?<=")#app\/features\/[^"]+(?=")/g) ?? [];
      });
    imported.set(feature, new Set(sources.map(featureOf)));
  }
  return imported.get(feature);
}

/** Whether one feature needs another, directly or through the features it needs. */
function needs(from, to, seen = new Set([from])) {
  return [...importedBy(from)].some((next) => {
    if (next === to) return true;
    return !seen.has(next) && needs(next, to, seen.add(next));
  });
}

const rule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const from = featureOf(context.filename.replaceAll("\\", "/"));
    const check = (node) => {
      const to = featureOf(String(node.source?.value));
      if (!from || !to || from === to || !needs(to, from)) return;
      context.report({ node, message: `${to} needs ${from}, so ${from} cannot need ${to}.` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: "features" }, rules: { "no-circles": rule } };
