import { Skeleton } from "#app/ui/skeleton.tsx";

/** A post that is loading. */
export function PostCardSkeleton() {
  return (
    <div className="overflow-hidden border-line bg-base-100 max-md:border-b md:mb-6 md:card">
      <div className="flex items-center gap-3 px-4 py-3">
        <Skeleton className="size-10 rounded-full" />
        <div className="grid gap-2">
          <Skeleton className="h-4 w-36" />
          <Skeleton className="h-3 w-24" />
        </div>
      </div>
      <div className="bg-paper md:p-3">
        <Skeleton className="aspect-4/3 rounded-none" />
      </div>
      <div className="h-20" />
    </div>
  );
}
