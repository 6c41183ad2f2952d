import { useLayoutEffect, useRef, useState } from "react";

/** Whether an element holds more than it shows; `guess` until it can be measured. */
export function useOverflow<Measured extends HTMLElement>(guess: boolean) {
  const ref = useRef<Measured>(null);
  const [overflows, setOverflows] = useState(guess);
  // At once: what is drawn again far up in a list would move the rest by what a wrong guess takes away later.
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
