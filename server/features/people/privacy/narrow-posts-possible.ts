import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";

type Stores = {
  imageStore?: ImageStoreSettings | undefined;
  imageStoreFrom?: ImageStoreSettings | null | undefined;
};

/**
 * Whether posts and accounts may be for fewer than everyone: not while photos are at an image host, which
 * shows them to whoever has their addresses there and has no way to delete them.
 */
export function narrowPostsPossible({ imageStore, imageStoreFrom }: Stores): boolean {
  return imageStore?.kind !== "imgbb" && imageStoreFrom?.kind !== "imgbb";
}
