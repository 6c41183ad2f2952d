import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from "react";

/** How far a mouse moves before a press is a drag, pixels. */
const slack = 6;
/** How long a finger rests before it lifts an item; sooner, it scrolls, milliseconds. */
const holdMs = 250;

type Point = { x: number; y: number };
type Drag = {
  id: string;
  pointerId: number;
  from: Point;
  at: Point;
  /** offset of the pointer inside the element */
  grip: Point;
  lifted: boolean;
  hold: ReturnType<typeof setTimeout> | undefined;
};

const pointOf = ({ clientX: x, clientY: y }: { clientX: number; clientY: number }): Point => ({
  x,
  y,
});

const sortIdOf = (element: Element) => (element as HTMLElement).dataset["sortId"];

/** Puts the dragged element under the pointer, wherever its list position is by now. */
function follow(list: HTMLElement | null, { id, at, grip }: Drag): void {
  const element = elementIn(list, id);
  if (!list || !element) return;
  const box = list.getBoundingClientRect();
  // Beyond its ends a list that scrolls would become longer.
  const x = Math.min(Math.max(at.x - box.x - grip.x, 0), box.width - element.offsetWidth);
  const left = x + list.scrollLeft - element.offsetLeft;
  const top = at.y - box.y - grip.y - element.offsetTop;
  element.style.translate = `${left}px ${top}px`;
}

/** At the ends of a list that is wider than its window, CSS pixels. */
const edge = { width: 40, step: 14 };

/** Near an end of the list, the rest of it comes along. */
function scrollAtEdges(list: HTMLElement, { at }: Drag): void {
  const { left, right } = list.getBoundingClientRect();
  if (at.x < left + edge.width) list.scrollLeft -= edge.step;
  if (at.x > right - edge.width) list.scrollLeft += edge.step;
}

function elementIn(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return ([...(list?.children ?? [])] as HTMLElement[]).find((child) => sortIdOf(child) === id);
}

/** Which of the sorted children lies under a point, from 0; null for none, or the dragged one itself. */
function indexUnderPointer(list: HTMLElement, { id, at }: Drag): number | null {
  const box = list.getBoundingClientRect();
  const [x, y] = [at.x - box.x + list.scrollLeft, at.y - box.y];
  const sorted = ([...list.children] as HTMLElement[]).filter(
    (child) => sortIdOf(child) !== undefined,
  );
  const to = sorted.findIndex(
    ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
      x >= offsetLeft &&
      x < offsetLeft + offsetWidth &&
      y >= offsetTop &&
      y < offsetTop + offsetHeight,
  );
  const there = sorted[to];
  return there && sortIdOf(there) !== id ? to : null;
}

/** A press that may become a drag; null where no sorted child was pressed. */
function dragFrom(event: PointerEvent<HTMLElement>): Drag | null {
  const element = (event.target as Element).closest<HTMLElement>("[data-sort-id]");
  const id = element ? sortIdOf(element) : undefined;
  if (!element || id === undefined || !event.isPrimary || event.button !== 0) return null;
  const from = pointOf(event);
  const box = element.getBoundingClientRect();
  const grip = { x: from.x - box.x, y: from.y - box.y };
  return { id, pointerId: event.pointerId, from, at: from, grip, lifted: false, hold: undefined };
}

/** While a photo is lifted the page does not scroll; React's own listeners cannot prevent that. */
function useStillPage(list: RefObject<HTMLElement | null>, drag: RefObject<Drag | null>): void {
  useEffect(() => {
    const element = list.current;
    const stay = (event: TouchEvent) => {
      if (drag.current?.lifted) event.preventDefault();
    };
    element?.addEventListener("touchmove", stay, { passive: false });
    return () => element?.removeEventListener("touchmove", stay);
  }, [list, drag]);
}

/**
 * Sorts the children of a list by dragging: by mouse and pen at once, by finger after a moment's hold. The
 * order changes during the drag. Children have `data-sort-id`; the list is positioned.
 */
export function useSortByDrag(onMove: (id: string, to: number) => void) {
  const list = useRef<HTMLUListElement>(null);
  const drag = useRef<Drag | null>(null);
  /** A drag ends with a click, which must be ignored. */
  const justDragged = useRef(false);
  const [draggedId, setDraggedId] = useState<string | null>(null);

  function lift(dragging: Drag): void {
    dragging.lifted = true;
    justDragged.current = true;
    list.current?.setPointerCapture(dragging.pointerId);
    setDraggedId(dragging.id);
    follow(list.current, dragging);
  }

  function end(): void {
    const dragging = drag.current;
    if (!dragging) return;
    clearTimeout(dragging.hold);
    drag.current = null;
    const element = elementIn(list.current, dragging.id);
    if (element) element.style.translate = "";
    setDraggedId(null);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    justDragged.current = false;
    const dragging = dragFrom(event);
    if (!dragging) return;
    if (event.pointerType === "touch") dragging.hold = setTimeout(() => lift(dragging), holdMs);
    drag.current = dragging;
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const dragging = drag.current;
    if (!dragging || event.pointerId !== dragging.pointerId) return;
    dragging.at = pointOf(event);
    if (!dragging.lifted) {
      const { at, from } = dragging;
      if (Math.hypot(at.x - from.x, at.y - from.y) < slack) return;
      // A finger that moves too early scrolls.
      if (event.pointerType === "touch") return end();
      lift(dragging);
    }
    if (list.current) scrollAtEdges(list.current, dragging);
    follow(list.current, dragging);
    const to = list.current && indexUnderPointer(list.current, dragging);
    if (to !== null) onMove(dragging.id, to);
  }

  function onClickCapture(event: MouseEvent<HTMLElement>): void {
    // Keys click without a pointer.
    if (!justDragged.current || event.detail === 0) return;
    justDragged.current = false;
    event.preventDefault();
    event.stopPropagation();
  }

  useLayoutEffect(() => {
    if (drag.current?.lifted) follow(list.current, drag.current);
  });
  useStillPage(list, drag);
  useEffect(() => () => clearTimeout(drag.current?.hold), []);

  return {
    draggedId,
    /** for the list */
    handlers: {
      ref: list,
      onPointerDown,
      onPointerMove,
      onPointerUp: end,
      onPointerCancel: end,
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (drag.current) event.preventDefault();
      },
      onClickCapture,
    },
  };
}
