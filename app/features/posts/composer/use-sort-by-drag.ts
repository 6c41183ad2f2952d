import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type PointerEvent,
} from "react";

/** How far a mouse goes before a press is a drag, pixels. */
const slack = 6;
/** How long a finger rests before it lifts what is under it; sooner, it scrolls, milliseconds. */
const holdMs = 250;

type Point = { x: number; y: number };
type Drag = {
  id: string;
  pointerId: number;
  from: Point;
  at: Point;
  /** where in its own box the element was taken */
  grip: Point;
  lifted: boolean;
  hold: ReturnType<typeof setTimeout> | undefined;
};

const pointOf = ({ clientX: x, clientY: y }: { clientX: number; clientY: number }): Point => ({
  x,
  y,
});

/**
 * Sorts the children of a list by dragging: by mouse and pen at once, by finger after a moment's
 * hold. The order changes while one drags. Children carry `data-sort-id`; the list is positioned.
 */
export function useSortByDrag(onMove: (id: string, to: number) => void) {
  const list = useRef<HTMLUListElement>(null);
  const drag = useRef<Drag | null>(null);
  /** A drag ends with a click, which is none. */
  const justDragged = useRef(false);
  const [draggedId, setDraggedId] = useState<string | null>(null);

  const children = () => [...(list.current?.children ?? [])] as HTMLElement[];
  const elementOf = (id: string) => children().find(({ dataset }) => dataset["sortId"] === id);

  /** Puts the dragged element under the pointer, wherever the list has its place by now. */
  function follow({ id, at, grip }: Drag): void {
    const element = elementOf(id);
    const box = list.current?.getBoundingClientRect();
    if (!element || !box) return;
    const x = at.x - box.x - grip.x - element.offsetLeft;
    const y = at.y - box.y - grip.y - element.offsetTop;
    element.style.translate = `${x}px ${y}px`;
  }

  function lift(dragging: Drag): void {
    dragging.lifted = true;
    justDragged.current = true;
    list.current?.setPointerCapture(dragging.pointerId);
    setDraggedId(dragging.id);
    follow(dragging);
  }

  function end(): void {
    const dragging = drag.current;
    if (!dragging) return;
    clearTimeout(dragging.hold);
    drag.current = null;
    const element = elementOf(dragging.id);
    if (element) element.style.translate = "";
    setDraggedId(null);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    justDragged.current = false;
    const element = (event.target as Element).closest<HTMLElement>("[data-sort-id]");
    const id = element?.dataset["sortId"];
    if (!element || id === undefined || !event.isPrimary || event.button !== 0) return;
    const from = pointOf(event);
    const box = element.getBoundingClientRect();
    const grip = { x: from.x - box.x, y: from.y - box.y };
    const { pointerId, pointerType } = event;
    const dragging: Drag = { id, pointerId, from, at: from, grip, lifted: false, hold: undefined };
    if (pointerType === "touch") dragging.hold = setTimeout(() => lift(dragging), holdMs);
    drag.current = dragging;
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const dragging = drag.current;
    if (!dragging || event.pointerId !== dragging.pointerId) return;
    dragging.at = pointOf(event);
    if (!dragging.lifted) {
      const { at, from } = dragging;
      if (Math.hypot(at.x - from.x, at.y - from.y) < slack) return;
      // A finger that moves before its time scrolls.
      if (event.pointerType === "touch") return end();
      lift(dragging);
    }
    follow(dragging);
    const box = list.current?.getBoundingClientRect();
    if (!box) return;
    const x = dragging.at.x - box.x;
    const y = dragging.at.y - box.y;
    const sorted = children().filter(({ dataset }) => dataset["sortId"] !== undefined);
    const to = sorted.findIndex(
      ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
        x >= offsetLeft &&
        x < offsetLeft + offsetWidth &&
        y >= offsetTop &&
        y < offsetTop + offsetHeight,
    );
    if (to >= 0 && sorted[to]?.dataset["sortId"] !== dragging.id) onMove(dragging.id, to);
  }

  useLayoutEffect(() => {
    if (drag.current?.lifted) follow(drag.current);
  });

  useEffect(() => {
    const element = list.current;
    // Once a photo is lifted the page stays where it is; React's own listeners could not say so.
    const stay = (event: TouchEvent) => {
      if (drag.current?.lifted) event.preventDefault();
    };
    element?.addEventListener("touchmove", stay, { passive: false });
    return () => {
      element?.removeEventListener("touchmove", stay);
      clearTimeout(drag.current?.hold);
    };
  }, []);

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
      onClickCapture: (event: MouseEvent<HTMLElement>) => {
        // Keys click without a pointer.
        if (!justDragged.current || event.detail === 0) return;
        justDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
