/* oxlint-disable unicorn/consistent-function-scoping -- what runs in a page has nothing around it */
import type { Page } from "@playwright/test";

/**
 * What is wrong with a page's text where letters are large or the window is low, by geometry alone: a page
 * wider than the window, text that is cut off by an edge, words that are broken in two, text that runs out of
 * its button, bars that lie on one another or take half of the window, two ways back, a list of choices that looks
 * like a text field, a bar of links that scrolls inside itself. One line for each, with its element.
 * `excerpts`: what ends in an ellipsis by its style is meant to.
 */
export async function textFaults(
  page: Page,
  { large = true, excerpts = false } = {},
): Promise<string[]> {
  await page.evaluate(async () => {
    window.scrollTo({ top: 0, behavior: "instant" });
    await document.fonts.ready;
    // Layout that observers change after a resize, and the sheet that they ask for.
    const frames = async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    };
    await frames();
    for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")) {
      if (!link.sheet) await new Promise((loaded) => link.addEventListener("load", loaded));
    }
    await frames();
  });
  return page.evaluate(findFaults, { large, excerpts });
}

/** Runs in the page: it must not use anything outside itself. */
function findFaults({ large, excerpts }: { large: boolean; excerpts: boolean }): string[] {
  const faults = new Set<string>();
  const { documentElement: root } = document;
  const { clientWidth, clientHeight } = root;

  const nameOf = (element: Element): string => {
    const { tagName, id, className } = element;
    const classes = typeof className === "string" ? className.split(/\s+/).slice(0, 5) : [];
    return [tagName.toLowerCase() + (id ? `#${id.slice(0, 20)}` : ""), ...classes].join(".");
  };
  const tell = (fault: string, element: Element, about = "") =>
    faults.add(`${fault}: ${about.trim().slice(0, 40)} ${nameOf(element)}`);

  /** As `sr-only` makes it, at this width. */
  const isClipped = (element: Element | null): boolean =>
    element !== null &&
    (getComputedStyle(element).clipPath === "inset(50%)" || isClipped(element.parentElement));

  /** Read aloud only, or hidden. */
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest("[aria-hidden=true], .toasts") &&
    !isClipped(element);

  if (root.scrollWidth > clientWidth) {
    faults.add(`scrolls sideways by ${root.scrollWidth - clientWidth}`);
  }

  const [, secondBack] = [...document.querySelectorAll("a:has(use[href$='#CaretLeft'])")].filter(
    isShown,
  );
  if (secondBack) tell("two ways back", secondBack);
  for (const select of document.querySelectorAll("select")) {
    const marked =
      getComputedStyle(select).appearance !== "none" || select.parentElement?.querySelector("svg");
    if (!marked && isShown(select)) tell("opens without a mark", select);
  }

  for (const nav of document.querySelectorAll("nav")) {
    const scrolls = getComputedStyle(nav).overflowY === "auto" && isShown(nav);
    if (scrolls && nav.scrollHeight > nav.clientHeight) tell("scrolls inside itself", nav);
  }

  /** The elements whose edges cut what is inside this one. */
  function cuttersOf(element: Element): { box: DOMRect; x: boolean; y: boolean }[] {
    const cutters = [];
    for (let each: Element | null = element; each && each !== root; each = each.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(each);
      const x = overflowX === "hidden" || overflowX === "clip";
      const y = overflowY === "hidden" || overflowY === "clip";
      if (x || y) cutters.push({ box: each.getBoundingClientRect(), x, y });
      // What is further out is reached by scrolling.
      if (/auto|scroll/.test(overflowX + overflowY) || position === "fixed") return cutters;
    }
    cutters.push({ box: new DOMRect(0, -1e6, clientWidth, 2e6), x: true, y: false });
    return cutters;
  }

  /** A text post in a grid of squares is a beginning: it is whole where the square leads. */
  const isExcerpt = (element: Element) =>
    element.closest("a.aspect-square") !== null || (excerpts && excerptAround(element) !== null);

  function excerptAround(element: Element | null): Element | null {
    if (element === null) return null;
    const { textOverflow, webkitLineClamp } = getComputedStyle(element);
    const cuts = textOverflow === "ellipsis" || webkitLineClamp !== "none";
    return cuts ? element : excerptAround(element.parentElement);
  }

  /** What does not fit ends in dots: in sight is its first letter, whichever way it is read, not its last. */
  function lacksItsBeginning(node: Text, excerpt: Element): boolean {
    const box = excerpt.getBoundingClientRect();
    const range = document.createRange();
    const isInSight = (at: number) => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, right, top } = range.getBoundingClientRect();
      return left > box.left - 1.5 && right < box.right + 1.5 && top < box.bottom;
    };
    const { length } = node.data.trimEnd();
    return !isInSight(node.data.search(/\S/)) && isInSight(length - 1);
  }

  /** Words; a username or an address may be broken anywhere. */
  const whole = /(?<![\p{L}\p{N}_@.-])[\p{L}\p{M}\p{N}]{2,14}(?![\p{L}\p{M}\p{N}_@.-])/gu;

  function look(node: Text, element: Element): void {
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (rects.length === 0) return;
    const text = node.data;
    const excerpt = excerpts ? excerptAround(element) : null;
    if (excerpt && lacksItsBeginning(node, excerpt)) {
      tell(`cut at its beginning, "${text.trim().slice(0, 20)}"`, element);
    }
    if (!isExcerpt(element)) {
      const cut = cuttersOf(element).some(({ box, x, y }) =>
        rects.some(
          (rect) =>
            (x && (rect.left < box.left - 1.5 || rect.right > box.right + 1.5)) ||
            // Letters have room above and below them.
            (y && rect.bottom - box.bottom > rect.height / 3),
        ),
      );
      if (cut) tell("cut", element, text);
    }
    const control = element.closest("a, button, label, summary, .btn");
    if (control && getComputedStyle(control).display !== "inline" && !isExcerpt(element)) {
      const box = control.getBoundingClientRect();
      const outside = rects.some(
        ({ left, right, bottom }) =>
          left < box.left - 2 || right > box.right + 2 || bottom > box.bottom + 4,
      );
      if (outside) tell("runs out of its control", control, text);
    }
    if (isExcerpt(element)) return;
    for (const { index, 0: word } of text.matchAll(whole)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) tell("broken word", element, word);
    }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: element } = node;
    if (!element || !(node as Text).data.trim() || element.closest("script, style, svg, option")) {
      continue;
    }
    if (large && isShown(element)) look(node as Text, element);
  }

  // A single button is no bar.
  const stuck = [...document.querySelectorAll("body :not(.btn)")].filter((element) => {
    if (!/^(?:fixed|sticky)$/.test(getComputedStyle(element).position)) return false;
    const { width, height } = element.getBoundingClientRect();
    return height > 1 && width > clientWidth / 2 && isShown(element);
  });
  const moves = root.scrollHeight > clientHeight * 1.5;
  for (const top of [clientHeight / 2, (root.scrollHeight - clientHeight) / 2, root.scrollHeight]) {
    window.scrollTo({ top, behavior: "instant" });
    const boxes = stuck
      .map((bar) => ({ bar, box: bar.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > 0 && box.top < clientHeight);
    let covered = 0;
    for (const [index, { bar, box }] of boxes.entries()) {
      // A sticky element that is at its own place covers nothing.
      const held = moves && (box.top <= 0 || box.bottom >= clientHeight - 1 || bar.matches("nav"));
      if (held && !large) tell("sticks", bar);
      covered += held ? Math.min(box.bottom, clientHeight) - Math.max(box.top, 0) : 0;
      for (const other of boxes.slice(index + 1)) {
        if (bar.contains(other.bar) || other.bar.contains(bar)) continue;
        if (box.top < other.box.bottom - 1 && other.box.top < box.bottom - 1) {
          tell("bars on one another", bar, nameOf(other.bar));
        }
      }
    }
    for (const button of document.querySelectorAll("main .btn")) {
      if (getComputedStyle(button).position !== "fixed" || !isShown(button)) continue;
      const { top: over, bottom: under } = button.getBoundingClientRect();
      const bar = boxes.find(({ box }) => box.top <= over && over < box.bottom - 1);
      if (bar && under > bar.box.bottom + 1) tell("hangs out of its bar", button);
    }
    if (covered > clientHeight / 2) faults.add(`bars cover ${covered} of ${clientHeight}`);
  }
  window.scrollTo({ top: 0, behavior: "instant" });
  return [...faults];
}
