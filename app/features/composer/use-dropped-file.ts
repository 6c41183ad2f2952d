import { useEffect, useEffectEvent, useState } from "react";

/**
 * Takes a picture that is dropped anywhere on the page or pasted into it. Left to itself the
 * browser would open a dropped file in place of the page, and what was written would be gone.
 * @returns whether a file hovers over the page
 */
export function useDroppedFile(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent((event: Event, files: DataTransfer | null) => {
    const file = files?.files[0];
    if (!file) return;
    event.preventDefault();
    onFile(file);
  });

  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const hover = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      take(event, event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => take(event, event.clipboardData);
    document.addEventListener("dragover", hover, options);
    document.addEventListener("dragleave", leave, options);
    document.addEventListener("drop", drop, options);
    document.addEventListener("paste", paste, options);
    return () => stop.abort();
  }, []);
  return over;
}
