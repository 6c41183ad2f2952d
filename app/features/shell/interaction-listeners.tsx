import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { photosUnderWay } from "#app/features/albums/photos-under-way.ts";
import { importUnderWay } from "#app/features/archive/bring/import-under-way.ts";
import { Autocomplete } from "#app/features/completion/autocomplete.tsx";
import { Unreached } from "#app/features/offline/unreached.tsx";
import { backgroundPost } from "#app/features/posts/composer/background-post.ts";
import { skipStaleEntries } from "#app/features/posts/lightbox/overlay-history.ts";
import { Shortcuts } from "#app/features/shell/shortcuts/shortcuts.tsx";
import { DialogHost } from "#app/ui/dialog-host.tsx";
import { useKeyboardInset } from "#app/features/shell/use-keyboard-inset.ts";
import { lazyComponent } from "#app/ui/lazy-component.tsx";

/** Without it the post goes out all the same. */
const BackgroundChip = lazyComponent(
  async () => (await import("#app/features/posts/composer/background-chip.tsx")).BackgroundChip,
  () => {},
);

/** Without it the photos go on all the same. */
const ImportChip = lazyComponent(
  async () => (await import("#app/features/archive/bring/import-chip.tsx")).ImportChip,
  () => {},
);

/** Loads what an earlier page left unsent, too. */
const AlbumChip = lazyComponent(
  async () => (await import("#app/features/albums/album-chip.tsx")).AlbumChip,
  () => {},
);

/**
 * Everything that reacts to a person's actions: dialogs, keys, the keyboard of a phone, autocompletion,
 * links while offline, overlays that Back closes, a post that is on its way, photos for albums, and those from
 * elsewhere. `writes`: only members get suggestions of names and tags.
 */
export function InteractionListeners({ writes }: { writes: boolean }) {
  useKeyboardInset();
  const { key } = useLocation();
  const post = useSyncExternalStore(backgroundPost.subscribe, backgroundPost.now);
  const underWay = useSyncExternalStore(photosUnderWay.subscribe, photosUnderWay.now);
  const importing = useSyncExternalStore(importUnderWay.subscribe, importUnderWay.now);
  useEffect(() => skipStaleEntries(key), [key]);
  // For tests and for programs, like data-alive.
  useEffect(() => {
    document.documentElement.dataset["acted"] = "";
  }, []);
  return (
    <>
      <DialogHost />
      <Shortcuts />
      <Unreached />
      {writes ? <Autocomplete /> : null}
      {writes && post ? <BackgroundChip /> : null}
      {writes && underWay && !post ? <AlbumChip /> : null}
      {writes && importing ? <ImportChip quiet={underWay || post !== null} /> : null}
    </>
  );
}
