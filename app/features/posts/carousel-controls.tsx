import { useEffect, useEffectEvent, type RefObject } from "react";
import * as words from "#messages/posts.json";
import { PhotoSteps, rightward } from "#app/features/posts/photo-steps.tsx";
import { fill } from "#app/lib/text/messages.tsx";

type Props = {
  row: RefObject<HTMLElement | null>;
  count: number;
  /** of the photo that is shown */
  index: number;
  setIndex: (index: number) => void;
  /** key under which its position is remembered; none where the address names the photo */
  positionKey: string | undefined;
};

/** The photo of a set that was seen last: a card that is rendered again shows it again. */
const seen = new Map<string, number>();

const arrow =
  "absolute top-1/2 hidden -translate-y-1/2 bg-black/60 text-white opacity-0 transition-opacity hover:bg-black/80 md:grid group-hover/set:opacity-100 focus-visible:opacity-100 aria-disabled:cursor-default group-hover/set:aria-disabled:opacity-30";

/** Arrows, keys and dots of a set of photos, whose row scrolls by itself. */
export function CarouselControls({ row, count, index, setIndex, positionKey }: Props) {
  const last = count - 1;

  function go(to: number): void {
    const slide = row.current?.children[Math.min(last, Math.max(0, to))] as HTMLElement | undefined;
    row.current?.scrollTo({ left: slide?.offsetLeft });
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = { ArrowRight: rightward, ArrowLeft: -rightward }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    go(index + by);
  });

  useEffect(() => {
    const list = row.current;
    if (!list) return;
    const before = list.children[(positionKey && seen.get(positionKey)) || 0] as
      HTMLElement | undefined;
    if (list.scrollLeft === 0) list.scrollTo({ left: before?.offsetLeft, behavior: "instant" });
    const scrolled = () => {
      const now = Math.round(Math.abs(list.scrollLeft) / list.clientWidth);
      setIndex(now);
      if (positionKey) seen.set(positionKey, now);
    };
    const ended = new AbortController();
    const { signal } = ended;
    // The buttons beside the row take the keys too.
    list.parentElement?.addEventListener("keydown", (event) => press(event), { signal });
    list.addEventListener("scroll", scrolled, { signal, passive: true });
    scrolled();
    return () => ended.abort();
  }, [row, setIndex, positionKey]);

  return (
    <>
      <PhotoSteps index={index} last={last} go={go} className={arrow} />
      <output className="sr-only">{fill(words.photoOf, { index: index + 1, count })}</output>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 bottom-3 mx-auto flex w-fit gap-1.5 rounded-full bg-black/60 p-1.5"
      >
        {Array.from({ length: count }, (_, dot) => (
          <span
            key={dot}
            className={`size-1.5 rounded-full ${dot === index ? "bg-white" : "bg-white/40"}`}
          />
        ))}
      </span>
    </>
  );
}
