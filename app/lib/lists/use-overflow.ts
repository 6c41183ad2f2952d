import { useLayoutEffect, useRef, useState } from "react";

/** Whether an element overflows; `guess` until it can be measured. */
export function useOverflow<Measured extends HTMLElement>(guess: boolean) {
  const ref = useRef<Measured>(null);
  const [overflows, setOverflows] = useState(guess);
  // Before painting: otherwise an element rendered far up in a list would first be too high, and shift the
  // rest.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, overflows };
}
