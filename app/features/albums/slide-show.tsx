import { useEffect, useState } from "react";
import { noDescription } from "#messages/posts.json";
import type { AlbumPhoto } from "#shared/views.ts";
import { Lightbox } from "#app/features/posts/lightbox/lightbox.tsx";
import { leaveOverlay } from "#app/features/posts/lightbox/overlay-history.ts";

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
  if (!useWholeScreen()) return null;
  return (
    <Lightbox
      photos={photos}
      start={0}
      opener={opener}
      alt={noDescription}
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

const enter = async () => document.documentElement.requestFullscreen();
const exit = () => {
  if (document.fullscreenElement) void document.exitFullscreen();
};

/**
 * Asks for the whole screen. True once that was answered: a dialog that was open before would be under the page.
 * Where it is refused, or there is none, the window has to do. Whoever leaves it closes the show.
 */
function useWholeScreen(): boolean {
  const [answered, setAnswered] = useState(false);
  useEffect(() => {
    let over = false;
    const changed = () => {
      if (!document.fullscreenElement) leaveOverlay();
    };
    const answer = () => {
      if (over) return exit();
      document.addEventListener("fullscreenchange", changed);
      setAnswered(true);
    };
    enter().then(answer, answer);
    return () => {
      over = true;
      document.removeEventListener("fullscreenchange", changed);
      exit();
    };
  }, []);
  return answered;
}
