import { formatSize } from "#shared/sizes.ts";
import type { StorageView } from "#shared/views.ts";
import * as words from "#messages/settings.json";
import { fill } from "#app/lib/text/messages.tsx";

/** How much storage a member's images take, and what happens when it is used up. */
export function StorageMeter({ storage }: { storage: StorageView }) {
  const { bytes, quota } = storage;
  const used = formatSize(bytes);
  const usage =
    quota === null
      ? fill(words.storageUsed, { used })
      : fill(words.storageUsedOf, { used, quota: formatSize(quota) });
  const full = quota !== null && bytes >= quota;
  return (
    <div className="mx-4 grid gap-2 rounded-box border border-line bg-base-100 p-4 md:mx-0">
      <p id="storage">{usage}</p>
      {quota === null ? null : (
        <progress
          className={`progress w-full ${full ? "text-danger" : ""}`}
          value={Math.min(bytes, quota)}
          max={quota}
          aria-labelledby="storage"
        />
      )}
      <p className="text-sm text-muted">{full ? words.storageFull : words.storageHint}</p>
    </div>
  );
}
