// The order of the server's districts. Each may use those before it, through their index.ts; code outside
// the districts also goes through an index.ts.
const districts = [
  "operator",
  "limits",
  "people",
  "posts",
  "talk",
  "identity",
  "apps",
  "archive",
  "links",
  "deletion",
  "moderation",
  "administration",
];

const inside = (path) => /(?:^|\/)server\/features\/([^/]+)\//.exec(path)?.[1];

/** Why a file may not import a path; null when it may. Both paths are relative to the project's root. */
function refusal(file, path) {
  const to = inside(path);
  if (!districts.includes(to)) return null;
  const from = inside(file);
  if (from === to) {
    const own = path.endsWith(`/${to}/index.ts`);
    return own ? `Inside ${to}, import the file itself.` : null;
  }
  if (!path.endsWith(`/${to}/index.ts`)) return `Import what ${to} shows in its index.ts.`;
  if (districts.includes(from) && districts.indexOf(to) > districts.indexOf(from)) {
    return `${from} stands before ${to} and knows nothing of it.`;
  }
  return null;
}

const rule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const check = (node) => {
      const path = node.source?.value;
      if (typeof path !== "string" || !path.startsWith("#server/features/")) return;
      const message = refusal(context.filename.replaceAll("\\", "/"), path.slice(1));
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: "districts" }, rules: { order: rule } };
