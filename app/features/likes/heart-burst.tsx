import { HeartIcon } from "#app/ui/icons.ts";

const frames = [
  { opacity: 0, transform: "scale(0.4)" },
  { opacity: 1, transform: "scale(1.1)", offset: 0.2 },
  { opacity: 1, transform: "none", offset: 0.3 },
  { opacity: 1, transform: "none", offset: 0.75 },
  { opacity: 0, transform: "none" },
];

/** How long it is visible; not shown with reduced motion. */
function burst(heart: Element | null): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  heart?.animate(frames, { duration: 700, easing: "ease-out" });
}

/** The heart that pops on a photo that was double-tapped. */
export function HeartBurst() {
  return (
    <span
      ref={burst}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 grid place-items-center opacity-0"
    >
      <HeartIcon weight="fill" className="size-24 text-error" />
    </span>
  );
}
