// What people read is a message (messages/, docs/translating.md). Names that are the same in every language are none.

/** Attributes and properties of ours that people read, or hear. */
const read = new Set([
  "alt",
  "aria-label",
  "button",
  "hint",
  "label",
  "line",
  "mark",
  "ok",
  "question",
  "text",
  "title",
]);

const sameEverywhere = new Set(["Postcard"]);
const isText = (value) =>
  typeof value === "string" && /\p{L}/u.test(value) && !sameEverywhere.has(value.trim());

const rule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const file = context.filename.replaceAll("\\", "/");
    if (file.includes(".test.") || !/\/app\//.test(file)) return {};
    const report = (node) =>
      context.report({ node, message: "What people read is a message: messages/en/*.json." });
    /** The literals that may become the value: `open ? "Hide" : "Show"`. */
    const check = (node) => {
      if (!node) return;
      if (node.type === "ConditionalExpression") [node.consequent, node.alternate].forEach(check);
      else if (node.type === "LogicalExpression") [node.left, node.right].forEach(check);
      else if (node.type === "JSXExpressionContainer") check(node.expression);
      else if (node.type === "Literal" && isText(node.value)) report(node);
      else if (
        node.type === "TemplateLiteral" &&
        node.quasis.some(({ value }) => isText(value.cooked))
      )
        report(node);
    };
    return {
      JSXText: (node) => isText(node.value) && report(node),
      JSXAttribute: (node) => read.has(node.name.name) && check(node.value),
      JSXExpressionContainer: (node) => node.parent.type === "JSXElement" && check(node.expression),
    };
  },
};

export default { meta: { name: "messages" }, rules: { "no-bare-text": rule } };
