import type { StorageView } from "#shared/views.ts";
import * as words from "#messages/settings.json";
import { fill } from "#app/lib/text/messages.tsx";
import { sizeText } from "#app/lib/text/sizes.ts";

/** How much storage a member's images take, and what happens when it is used up. */
export function StorageMeter({ storage }: { storage: StorageView }) {
  const { bytes, quota } = storage;
  const used = sizeText(bytes);
  const usage =
    quota === null
      ? fill(words.storageUsed, { used })
      : fill(words.storageUsedOf, { used, quota: sizeText(quota) });
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
