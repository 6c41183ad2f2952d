/** Between the field and the list below it, pixels. */
const gap = 4;
/** The greatest height of the list: seven accounts and a bit of the eighth, pixels. */
const highest = 352;

/** Replaces a word and adds a space, as if typed: undo reverts it. */
export function insertInto(
  field: HTMLTextAreaElement,
  { start, end, text }: { start: number; end: number; text: string },
): void {
  const written = /^\s/.test(field.value.slice(end)) ? text : `${text} `;
  field.focus();
  field.setSelectionRange(start, end);
  // Deprecated, and the only way that keeps the browser's undo.
  if (document.execCommand("insertText", false, written)) return;
  field.setRangeText(written, start, end, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/**
 * Shows a list over everything, below the field, or above it where a phone's keyboard leaves no room, and
 * keeps it there while the page moves; calls `onGone` when the field is out of sight.
 * @returns a function that ends this
 */
export function positionUnder(
  field: HTMLElement,
  list: HTMLElement,
  onGone: () => void,
): () => void {
  const view = window.visualViewport;
  function position(): void {
    const box = field.getBoundingClientRect();
    const top = view?.offsetTop ?? 0;
    const bottom = top + (view?.height ?? window.innerHeight);
    if (!field.isConnected || box.bottom < top || box.top > bottom) return onGone();
    const [above, below] = [box.top - top, bottom - box.bottom].map((room) => room - 2 * gap);
    const wanted = Math.min(highest, list.scrollHeight + 2);
    const up = (below ?? 0) < wanted && (above ?? 0) > (below ?? 0);
    const room = Math.max(88, (up ? above : below) ?? 0);
    list.style.maxHeight = `${Math.min(highest, room)}px`;
    const toStart = getComputedStyle(field).direction === "rtl";
    const left = toStart ? box.right - list.offsetWidth : box.left;
    Object.assign(list.style, {
      top: `${up ? box.top - gap - list.offsetHeight : box.bottom + gap}px`,
      left: `${Math.max(gap, Math.min(left, window.innerWidth - list.offsetWidth - gap))}px`,
    });
  }
  if (!list.matches(":popover-open")) list.showPopover();
  position();
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener("scroll", position, { capture: true, passive: true, signal });
  window.addEventListener("resize", position, { signal });
  view?.addEventListener("resize", position, { signal });
  view?.addEventListener("scroll", position, { signal });
  // With other characters the list is longer or shorter than before.
  const sizes = new ResizeObserver(position);
  sizes.observe(list);
  return () => {
    stop.abort();
    sizes.disconnect();
  };
}
