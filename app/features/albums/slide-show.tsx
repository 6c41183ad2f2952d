import type { AlbumPhoto } from "#shared/views.ts";
import { Lightbox } from "#app/features/posts/lightbox/lightbox.tsx";

type Props = {
  list: {
    items: readonly Pick<AlbumPhoto, "picture" | "sensitive">[];
    loadMore: () => Promise<void>;
  };
  onBroken?: () => void;
  /** the pressed button, which gets the focus back */
  opener: HTMLElement;
  onClose: () => void;
};

/** The photos of an album one after the other, in the lightbox. Those with a warning are left out. */
export function SlideShow({ list, opener, onBroken, onClose }: Props) {
  const photos = list.items.flatMap(({ picture, sensitive }) =>
    picture && !sensitive ? picture : [],
  );
  return (
    <Lightbox
      photos={photos}
      start={0}
      opener={opener}
      alt="Photo without a description"
      onClose={onClose}
      slides={{
        // Two ahead of the end the next page is read.
        onShow: (index) => {
          if (index >= photos.length - 2) void list.loadMore();
        },
        ...(onBroken && { onBroken }),
      }}
    />
  );
}
