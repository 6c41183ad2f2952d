import { useEffect, useEffectEvent, useState, type RefObject } from "react";

/** Each photo of a slide show, milliseconds. */
const slideMs = 5000;

/** How a lightbox shows its photos one after the other. */
export type Slides = { onShow: (index: number) => void };

/**
 * Goes on to the next photo every five seconds, and after the last to the first, on the whole screen, which
 * is kept awake. Who wants less motion begins with a pause.
 */
export function useSlides(
  slides: Slides | undefined,
  index: number,
  { dialog, next }: { dialog: RefObject<HTMLDialogElement | null>; next: (from: number) => void },
) {
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
  useWholeScreen(slides !== undefined, dialog);
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

/** Escape leaves it, and closes the show with it. */
function useWholeScreen(wanted: boolean, dialog: RefObject<HTMLDialogElement | null>): void {
  const close = useEffectEvent(() => {
    if (!document.fullscreenElement)
      dialog.current?.dispatchEvent(new Event("cancel", { cancelable: true }));
  });
  useEffect(() => {
    if (!wanted || !document.fullscreenEnabled) return;
    let left = false;
    const changed = () => {
      if (!left) close();
    };
    document.documentElement.requestFullscreen().then(
      () => {
        if (left) void document.exitFullscreen();
        else document.addEventListener("fullscreenchange", changed);
        return undefined;
      },
      // Where it is refused, the window has to do.
      () => undefined,
    );
    return () => {
      left = true;
      document.removeEventListener("fullscreenchange", changed);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, [wanted]);
}
