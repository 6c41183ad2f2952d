/** A grey place-holder; give it the size of the content to come. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block rounded-field bg-base-300 motion-sheen ${className}`}
    />
  );
}

/** A row of a list of accounts: avatar and name, as tall as the row itself. */
export function AccountSkeleton() {
  return (
    <div className="flex h-18 items-center gap-3 px-4 md:px-0">
      <Skeleton className="size-14 rounded-full" />
      <Skeleton className="h-4 w-40" />
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
