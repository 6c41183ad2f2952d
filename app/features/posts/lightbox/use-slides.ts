import { useEffect, useEffectEvent, useState } from "react";

/** Each photo of a slide show, milliseconds. */
const slideMs = 5000;

/** How a lightbox shows its photos one after the other. */
export type Slides = {
  onShow: (index: number) => void;
  /** the shown photo did not load */
  onBroken?: () => void;
};

/**
 * Goes on to the next photo every five seconds, and after the last to the first, while the screen is kept awake.
 * Who wants less motion begins with a pause.
 */
export function useSlides(slides: Slides | undefined, index: number, next: (from: number) => void) {
  const [playing, setPlaying] = useState(
    () => slides !== undefined && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  );
  const onNext = useEffectEvent(next);
  const onShow = useEffectEvent((shown: number) => slides?.onShow(shown));
  useEffect(() => onShow(index), [index]);
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => onNext(index), slideMs);
    return () => clearTimeout(timer);
  }, [playing, index]);
  useAwake(playing);
  return { playing, toggle: () => setPlaying(!playing) };
}

/** Null where it is refused, as with a nearly empty battery: the show goes on. */
const askToStayAwake = () => navigator.wakeLock.request("screen").catch(() => null);

/** The screen stays on; not every browser can. A tab that was hidden asks again. */
function useAwake(playing: boolean): void {
  useEffect(() => {
    if (!playing || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const stayAwake = () => {
      if (document.visibilityState !== "visible") return;
      void askToStayAwake().then((granted) => {
        if (over) void granted?.release();
        else lock = granted;
        return granted;
      });
    };
    stayAwake();
    document.addEventListener("visibilitychange", stayAwake);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", stayAwake);
      void lock?.release();
    };
  }, [playing]);
}
