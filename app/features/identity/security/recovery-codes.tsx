import { copyText } from "#app/lib/text/copy-text.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { notify } from "#app/lib/toasts.ts";
import { Button } from "#app/ui/button.tsx";

type Props = { codes: string[]; onDone: () => void };

const fileName = "postcard-recovery-codes.txt";

/** The recovery codes, shown once: to write down, to copy or to save as a file. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const hydrated = useHydrated();

  async function copy() {
    if (await copyText(codes.join("\n"))) notify.success("Codes copied");
    else notify.error("Your browser didn't let us copy. Please write the codes down.");
  }

  return (
    <div data-shown-once="" className="grid gap-4 rounded-field bg-base-200 p-4">
      <div className="grid gap-1">
        <h3 className="font-semibold">Your recovery codes</h3>
        <p className="text-sm text-pretty">
          Each one signs you in once if you don't have your phone. We won't show them again, so keep
          them somewhere safe.
        </p>
      </div>
      <ul dir="ltr" aria-label="Recovery codes" className="grid grid-cols-2 gap-2 font-medium">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {hydrated ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void copy()}>Copy</Button>
          <Button onClick={() => download(codes)}>Download</Button>
          <Button look="primary" onClick={onDone}>
            I've saved them
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function download(codes: string[]): void {
  const text = `Recovery codes for Postcard. Each one works once:\n\n${codes.join("\n")}\n`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = fileName;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
