import { chooseFolder } from "#messages/bring.json";
import { useFileInput } from "#app/lib/forms/use-file-input.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";

/** A folder in place of a zip, where the browser has folders to choose: phones have none. */
export function ChooseFolder({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const { ref, type, onChange } = useFileInput(onChoose);
  const hydrated = useHydrated();
  if (!hydrated || !("webkitdirectory" in HTMLInputElement.prototype)) return null;
  return (
    <label className="relative inline-flex min-h-11 cursor-pointer items-center justify-self-start link has-focus-visible:outline-2 pointer-coarse:hidden">
      {chooseFolder}
      <input {...{ ref, type, onChange }} {...{ webkitdirectory: "" }} className="sr-only" />
    </label>
  );
}
