import { formatUsage } from "#shared/sizes.ts";
import type { StorageView } from "#shared/views.ts";

/** How much storage a member's images take, and what happens when it is used up. */
export function StorageMeter({ storage }: { storage: StorageView }) {
  const { bytes, quota } = storage;
  const full = quota !== null && bytes >= quota;
  return (
    <div className="mx-4 grid gap-2 rounded-box border border-line bg-base-100 p-4 md:mx-0">
      <p id="storage">You use {formatUsage(storage)}.</p>
      {quota === null ? null : (
        <progress
          className={`progress w-full ${full ? "text-danger" : ""}`}
          value={Math.min(bytes, quota)}
          max={quota}
          aria-labelledby="storage"
        />
      )}
      <p className="text-sm text-muted">
        {full
          ? "Your storage is full. To post new photos, delete posts you no longer need, or ask the person who runs this Postcard for more space."
          : "The photos of your posts, your profile and your messages, as you sent them."}
      </p>
    </div>
  );
}
