import { useEffect, useRef, useState } from "react";

/** Whether an element holds more than it shows; `guess` until it can be measured. */
export function useOverflow<Measured extends HTMLElement>(guess: boolean) {
  const ref = useRef<Measured>(null);
  const [overflows, setOverflows] = useState(guess);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setOverflows(element.scrollHeight > element.clientHeight + 1),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, overflows };
}
