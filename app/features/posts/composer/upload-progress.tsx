import * as words from "#messages/composer.json";
import { tag } from "#messages/language.json";
import { fill } from "#app/lib/text/messages.tsx";

type Props = {
  /** fraction of the bytes that are sent, 0 to 1 */
  fraction: number;
  /** of all files together */
  bytes: number;
  /** what is happening, where it is anything but sending */
  state?: string | undefined;
};

/** The progress of an upload, in numbers and as a bar. */
export function UploadProgress({ fraction, bytes, state }: Props) {
  const percent = Math.round(fraction * 100);
  const sending = fraction < 1 ? words.onItsWay : words.preparing;
  return (
    <span className="block text-start text-sm">
      <span className="flex flex-wrap justify-between gap-x-4">
        <span>{state ?? sending}</span>
        {fraction < 1 ? (
          <span className="whitespace-nowrap text-muted tabular-nums">
            {progressText(fraction * bytes, bytes, percent)}
          </span>
        ) : null}
      </span>
      <progress
        className="progress mt-1 block w-full"
        value={percent}
        max={100}
        aria-label={words.photoUpload}
      />
    </span>
  );
}

/** "1.2 of 3.4 MB · 35%", "12 of 340 kB · 4%". */
function progressText(sent: number, bytes: number, percent: number): string {
  if (bytes < 500_000) {
    const all = fill(words.kilobytes, { count: Math.max(1, kilobytes(bytes)) });
    return fill(words.sentOf, { sent: kilobytes(sent), all, percent });
  }
  const all = fill(words.megabytes, { count: megabytes(bytes) });
  return fill(words.sentOf, { sent: megabytes(sent), all, percent });
}

const kilobytes = (bytes: number) => Math.round(bytes / 1000);

const megabytes = (bytes: number) =>
  (bytes / 1e6).toLocaleString(tag, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    numberingSystem: "latn",
  });
