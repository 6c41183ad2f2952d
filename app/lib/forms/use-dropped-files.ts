import { useEffect, useEffectEvent, useState } from "react";

/**
 * Takes files that are dropped anywhere on the page or pasted into it. Without this the browser would open
 * a dropped file in place of the page, and what was typed would be lost.
 * `filesOf` says what of a drop is taken, as it is dropped.
 * @returns whether files are being dragged over the page
 */
export function useDroppedFiles(
  onFiles: (files: File[]) => void,
  filesOf: (dropped: DataTransfer) => Promise<File[]> | File[] = ({ files }) => [...files],
): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent((event: Event, dropped: DataTransfer | null) => {
    if (!dropped?.files.length) return;
    event.preventDefault();
    void Promise.resolve(filesOf(dropped)).then(onFiles);
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
    const paste = (event: ClipboardEvent) => {
      // Text copied in an office program includes an image of itself.
      const types = event.clipboardData?.types ?? [];
      if (types.includes("text/html") && types.includes("text/plain")) return;
      take(event, event.clipboardData);
    };
    document.addEventListener("dragover", hover, options);
    document.addEventListener("dragleave", leave, options);
    document.addEventListener("drop", drop, options);
    document.addEventListener("paste", paste, options);
    return () => stop.abort();
  }, []);
  return over;
}
