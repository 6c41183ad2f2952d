import * as words from "#messages/security.json";
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
    if (await copyText(codes.join("\n"))) notify.success(words.codesCopied);
    else notify.error(words.codesNotCopied);
  }

  return (
    <div data-shown-once="" className="grid gap-4 rounded-field bg-base-200 p-4">
      <div className="grid gap-1">
        <h3 className="font-semibold">{words.yourRecoveryCodes}</h3>
        <p className="text-sm text-pretty">{words.recoveryCodesText}</p>
      </div>
      <ul dir="ltr" aria-label={words.recoveryCodes} className="grid grid-cols-2 gap-2 font-medium">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {hydrated ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void copy()}>{words.copy}</Button>
          <Button onClick={() => download(codes)}>{words.download}</Button>
          <Button look="primary" onClick={onDone}>
            {words.codesSaved}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function download(codes: string[]): void {
  const text = `${words.codesFileTitle}\n\n${codes.join("\n")}\n`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = fileName;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
