import { useEffect } from "react";
import { useToaster } from "react-hot-toast/headless";
import { CheckCircleIcon, WarningCircleIcon } from "#app/ui/icons.ts";

/** At most this many at once (the specification; also react-hot-toast's own limit). */
const atMost = 20;

/** react-hot-toast's state with our own classes: its components would inject styles of their own. */
export function Toasts({ onDrawn }: { onDrawn: () => () => void }) {
  const { toasts } = useToaster();
  useEffect(onDrawn, [onDrawn]);
  return (
    // Presses go through them to the elements below.
    <ol>
      {toasts.slice(0, atMost).map((toast) => (
        <li
          key={toast.id}
          className={`flex w-fit max-w-[350px] items-start gap-3 rounded-box border border-line bg-base-100 px-4 py-3 text-sm shadow-lg transition duration-200 motion-appear ${toast.visible ? "" : "opacity-0"}`}
        >
          {toast.type === "success" ? (
            <CheckCircleIcon weight="fill" className="size-5 shrink-0 text-primary" />
          ) : (
            <WarningCircleIcon weight="fill" className="size-5 shrink-0 text-danger" />
          )}
          <span className="min-w-0" dir="auto">
            {String(toast.message)}
          </span>
        </li>
      ))}
    </ol>
  );
}
