import daisyui from "daisyui";

/*
 * daisyUI, without its `:has()` selectors for fields that contain others: ours contain none. Where such a
 * rule ends in a universal selector (`:has(…) *`, `::placeholder`), Chromium restyles the whole page on
 * every insertion, even for the heart of a like: 45 of its 60 ms, and for each card that is rendered.
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

/** How Tailwind recognizes a plugin that takes options. */
Object.assign(plugin, { ["__isOptionsFunction"]: true });

export default plugin;
