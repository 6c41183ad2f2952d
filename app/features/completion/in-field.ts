/** Between the field and what stands under it, pixels. */
const gap = 4;
/** What is offered is no higher than this: seven people and a bit of the eighth, pixels. */
const highest = 352;

/** Writes in the place of a word and a space behind it, as if typed: undo takes it back. */
export function insertInto(
  field: HTMLTextAreaElement,
  { start, end, text }: { start: number; end: number; text: string },
): void {
  const written = /^\s/.test(field.value.slice(end)) ? text : `${text} `;
  field.focus();
  field.setSelectionRange(start, end);
  // Out of fashion, and the only way that keeps what the browser can undo.
  if (document.execCommand("insertText", false, written)) return;
  field.setRangeText(written, start, end, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/**
 * Shows a list over everything, under the field, or above it where a phone's keyboard leaves no room,
 * and keeps it there while the page moves; `onGone` is told when the field is not seen any more.
 * Answers how to end it.
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
  // Other letters, other names: the list is longer or shorter than before.
  const sizes = new ResizeObserver(position);
  sizes.observe(list);
  return () => {
    stop.abort();
    sizes.disconnect();
  };
}
