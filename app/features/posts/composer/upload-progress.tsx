type Props = {
  /** of the bytes that are sent, 0 to 1 */
  fraction: number;
  /** of the whole file */
  bytes: number;
};

/** How far a picture is on its way, in numbers and as a bar. */
export function UploadProgress({ fraction, bytes }: Props) {
  const percent = Math.round(fraction * 100);
  return (
    <span className="block text-start text-sm tabular-nums">
      <span className="flex flex-wrap justify-between gap-x-4 *:whitespace-nowrap">
        <span>{fraction < 1 ? "Your photo is on its way" : "Preparing your photo…"}</span>
        {fraction < 1 ? (
          <span className="text-muted">
            {megabytes(fraction * bytes)} of {megabytes(bytes)} MB · {percent}%
          </span>
        ) : null}
      </span>
      <progress
        className="progress mt-1 block w-full progress-primary"
        value={percent}
        max={100}
        aria-label="Photo upload"
      />
    </span>
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
