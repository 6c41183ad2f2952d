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
  const sending = fraction < 1 ? "Your photo is on its way" : "Preparing your photo…";
  return (
    <span className="block text-start text-sm">
      <span className="flex flex-wrap justify-between gap-x-4">
        <span>{state ?? sending}</span>
        {fraction < 1 ? (
          <span className="whitespace-nowrap text-muted">
            {progressText(fraction * bytes, bytes)} · {percent}%
          </span>
        ) : null}
      </span>
      <progress
        className="progress mt-1 block w-full"
        value={percent}
        max={100}
        aria-label="Photo upload"
      />
    </span>
  );
}

/** "1.2 of 3.4 MB", "12 of 340 kB". */
function progressText(sent: number, bytes: number): string {
  if (bytes < 500_000) return `${kilobytes(sent)} of ${Math.max(1, kilobytes(bytes))} kB`;
  return `${(sent / 1e6).toFixed(1)} of ${(bytes / 1e6).toFixed(1)} MB`;
}

const kilobytes = (bytes: number) => Math.round(bytes / 1000);
