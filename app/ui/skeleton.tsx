/** A grey place-holder; give it the size of what comes. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block rounded-field bg-base-300 motion-sheen ${className}`}
    />
  );
}

/** A row of a list of people: avatar and two lines, as tall as the row itself. */
export function PersonSkeleton() {
  return (
    <div className="flex min-h-16 items-center gap-3 px-4">
      <Skeleton className="size-10 rounded-full" />
      <div className="grid gap-2">
        <Skeleton className="h-3.5 w-36" />
        <Skeleton className="h-3 w-24" />
      </div>
    </div>
  );
}

/** Rows of a grid of three columns of squares. */
export function GridSkeleton({ rows = 2 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="grid grid-cols-3 gap-0.5 md:gap-1">
      {Array.from({ length: rows * 3 }, (_, cell) => (
        <Skeleton key={cell} className="aspect-square rounded-none" />
      ))}
    </div>
  );
}
