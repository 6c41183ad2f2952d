import { useEffect, useState } from "react";
import { Stamp } from "#app/ui/stamp.tsx";

/** The specification's loading gate clears after this long. */
const clearsAfterMs = 2000;

/** A stamp being postmarked while a sign-in or a sign-up is being sent; two seconds at most. */
export function LoadingGate({ active, text }: { active: boolean; text: string }) {
  const [cleared, setCleared] = useState(false);
  const [wasActive, setWasActive] = useState(active);
  if (active !== wasActive) {
    setWasActive(active);
    setCleared(false);
  }
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setCleared(true), clearsAfterMs);
    return () => clearTimeout(timer);
  }, [active]);
  if (!active || cleared) return null;
  return (
    <output className="fixed inset-0 z-50 grid place-content-center justify-items-center gap-5 bg-ground motion-fade-late">
      <Stamp marked className="w-24 overflow-visible" />
      <span className="font-wordmark text-2xl">{text}</span>
    </output>
  );
}
