type Props = { size: number; path: string; label: string };

/** Dark on white in either theme: cameras expect it. */
export function QrCode({ size, path, label }: Props) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="mx-auto w-48 shrink-0 rounded-field bg-white fill-black"
    >
      <path d={path} />
    </svg>
  );
}
