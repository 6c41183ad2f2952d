import { useState } from "react";
import * as words from "#messages/albums.json";
import type { SlideShow as Show } from "#app/features/albums/slide-show.tsx";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { PlayIcon } from "#app/ui/icons.ts";
import { lazyComponent, notifyAndClose } from "#app/ui/lazy-component.tsx";

const SlideShow = lazyComponent(
  async () => (await import("#app/features/albums/slide-show.tsx")).SlideShow,
  notifyAndClose,
);

type Props = Pick<Parameters<typeof Show>[0], "list" | "onBroken"> & { className?: string };

/** Nothing where every photo has a warning. Without scripts it could show nothing; its room is there, so that nothing moves. */
export function SlideShowButton({ list, onBroken, className = "" }: Props) {
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const hydrated = useHydrated();
  if (list.items.every(({ sensitive }) => sensitive)) return null;
  return (
    <>
      <Button
        className={hydrated ? className : `${className} invisible`}
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        <PlayIcon weight="fill" className="size-5" aria-hidden />
        {words.slideShow}
      </Button>
      {opener && (
        <SlideShow
          list={list}
          opener={opener}
          {...(onBroken && { onBroken })}
          onClose={() => setOpener(null)}
        />
      )}
    </>
  );
}
