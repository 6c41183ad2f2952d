import daisyui from "daisyui";

/*
 * daisyUI, without what it asks with `:has()` of fields that hold others: ours hold none. Where one such
 * rule dresses whatever comes (`:has(…) *`, `::placeholder`), Chromium dresses the whole page anew when
 * anything is put into it, be it the heart of a like: 45 of its 60 ms, and at each card that comes near.
 */
const fields = /^\.input/;

function withoutHas(styles) {
  return Object.fromEntries(
    Object.entries(styles).flatMap(([selectors, rule]) => {
      if (typeof rule !== "object") return [[selectors, rule]];
      const kept = selectors
        // oxlint-disable-next-line regexp/no-super-linear-move -- reads a style sheet of a library, while building
        .split(/,(?![^(]*\))/)
        .filter((selector) => !selector.includes(":has("));
      return kept.length > 0 ? [[kept.join(), withoutHas(rule)]] : [];
    }),
  );
}

function fieldsWithoutHas(styles) {
  return Object.fromEntries(
    Object.entries(styles).map(([name, rule]) => [
      name,
      fields.test(name) ? withoutHas(rule) : rule,
    ]),
  );
}

function plugin(options) {
  const { handler, config } = daisyui(options);
  return {
    handler: (api) =>
      handler({ ...api, addComponents: (styles) => api.addComponents(fieldsWithoutHas(styles)) }),
    config,
  };
}

/** How Tailwind knows a plugin that takes options. */
Object.assign(plugin, { ["__isOptionsFunction"]: true });

export default plugin;
