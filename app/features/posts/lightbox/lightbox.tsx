import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from "react";
import { largePictureUrl, largeSize } from "#shared/large-pictures.ts";
import { factsOf, type PhotoFacts as Facts, type PostDetails } from "#shared/photo-details.ts";
import { largestVariant, movingPictureUrl } from "#shared/pictures.ts";
import type { PictureView, PostView } from "#shared/views.ts";
import { LikeButton, type Like } from "#app/features/likes/like-button.tsx";
import { attachGestures, type Gestures } from "#app/features/posts/lightbox/gestures.ts";
import { morph } from "#app/features/posts/lightbox/morph.ts";
import {
  enterOverPage,
  leaveOverPage,
  quitOverPage,
} from "#app/features/posts/lightbox/over-page.ts";
import { PhotoFacts } from "#app/features/posts/photo-facts.tsx";
import { getJson } from "#app/lib/forms/post-form.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon, XIcon } from "#app/ui/icons.ts";

/** The post that the pictures belong to; its like is the very one of the page underneath. */
export type ShownPost = { post: PostView; like: Like; signedIn: boolean };

type Props = {
  pictures: PictureView[];
  /** which of them is opened, from 0 */
  start: number;
  /** what was pressed: the picture grows out of it, and goes back there */
  opener: HTMLElement;
  /** for a picture nobody described */
  alt: string;
  of?: ShownPost | undefined;
  onClose: () => void;
};

/** CSS pixels that an arrow key moves a zoomed picture. */
const step = 80;
const round = "bg-black/50 text-white hover:bg-white/20";

/** Pictures as large as the window: zoom, swipe, arrow keys. Escape closes, and so does Back. */
export function Lightbox({ pictures, start, opener, alt, of, onClose }: Props) {
  const [index, setIndex] = useState(start);
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const gestures = useRef<Gestures>(null);
  const last = pictures.length - 1;
  const picture = pictures[index];
  const { source, sharpen } = useSources(picture, index === start ? opener : null);

  const told = useTold(of);

  const go = (to: number) => setIndex(Math.min(last, Math.max(0, to)));

  const open = useEffectEvent(() => {
    const shown = dialog.current;
    if (!shown || !image.current) return;
    morph(placeOf(opener), image.current, () => {
      if (!shown.open) shown.showModal();
      gestures.current?.refit();
    });
  });
  const close = useEffectEvent(() => {
    const back = openerOf(opener, index);
    if (!image.current) return;
    morph(image.current, placeOf(opener), () => {
      const row = back.closest("ul");
      const slide = back.closest("li");
      if (row && slide) row.scrollTo({ left: slide.offsetLeft, behavior: "instant" });
      dialog.current?.close();
      back.focus({ preventScroll: true });
    });
  });
  useEffect(() => {
    enterOverPage(() => close());
    open();
    return quitOverPage;
  }, []);

  const sharpenShown = useEffectEvent(() => sharpen());
  useLayoutEffect(() => {
    if (!frame.current || !image.current || !picture) return;
    const sizes = { size: largestVariant(picture), full: fullSize(picture) };
    gestures.current = attachGestures(frame.current, image.current, sizes, {
      onSwipe: (direction) =>
        setIndex((current) => Math.min(last, Math.max(0, current + direction))),
      onDismiss: leaveOverPage,
      onLookClosely: () => sharpenShown(),
    });
    return () => gestures.current?.detach();
  }, [picture, last]);

  // The neighbours come while one looks.
  useEffect(() => {
    for (const neighbour of [pictures[index + 1], pictures[index - 1]]) {
      if (neighbour) new Image().src = largestVariant(neighbour).url;
    }
  }, [pictures, index]);

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = gestures.current;
    const keys: Record<string, () => unknown> = {
      ArrowRight: () => shown?.pan({ x: -step, y: 0 }) || go(index + 1),
      ArrowLeft: () => shown?.pan({ x: step, y: 0 }) || go(index - 1),
      ArrowDown: () => shown?.pan({ x: 0, y: -step }),
      ArrowUp: () => shown?.pan({ x: 0, y: step }),
      Home: () => go(0),
      End: () => go(last),
      "+": () => shown?.zoomBy(1.5),
      "=": () => shown?.zoomBy(1.5),
      "-": () => shown?.zoomBy(1 / 1.5),
      "0": () => shown?.zoomOut(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  if (!picture) return null;
  const count = pictures.length > 1 ? `Photo ${index + 1} of ${pictures.length}` : "Photo";
  return (
    // What its keys do, its buttons and gestures do too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={count}
      onCancel={(event) => {
        event.preventDefault();
        leaveOverPage();
      }}
      onClose={onClose}
      onKeyDown={press}
      className="fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none flex-col overflow-hidden border-0 bg-black p-0 text-white open:flex"
    >
      <div className="pointer-events-none absolute inset-x-0 top-0 z-10 flex items-center justify-between p-2">
        <output className="rounded-full bg-black/50 px-3 py-1 text-sm tabular-nums empty:invisible">
          {last > 0 && (
            <>
              <span aria-hidden="true">{`${index + 1} / ${pictures.length}`}</span>
              <span className="sr-only">{count}</span>
            </>
          )}
        </output>
        <IconButton
          label="Close"
          className={`pointer-events-auto ${round}`}
          onClick={leaveOverPage}
        >
          <XIcon className="size-6" aria-hidden />
        </IconButton>
      </div>
      {last > 0 && (
        <>
          <IconButton
            label="Previous photo"
            aria-disabled={index === 0}
            className={`absolute start-2 top-1/2 z-10 -translate-y-1/2 aria-disabled:opacity-30 ${round}`}
            onClick={() => go(index - 1)}
          >
            <CaretLeftIcon className="size-6" aria-hidden />
          </IconButton>
          <IconButton
            label="Next photo"
            aria-disabled={index === last}
            className={`absolute end-2 top-1/2 z-10 -translate-y-1/2 aria-disabled:opacity-30 ${round}`}
            onClick={() => go(index + 1)}
          >
            <CaretRightIcon className="size-6" aria-hidden />
          </IconButton>
        </>
      )}
      <div
        ref={frame}
        className="relative min-h-0 flex-1 cursor-zoom-in touch-none select-none peer data-zoomed:cursor-grab"
      >
        <img
          key={picture.key}
          ref={image}
          src={source}
          width={picture.width}
          height={picture.height}
          alt={picture.alt || alt}
          draggable={false}
          className="absolute inset-0 m-auto max-w-none"
        />
      </div>
      {(of || picture.alt) && <Details picture={picture} of={of} told={told} />}
    </dialog>
  );
}

/** Caption, alt text and like under a picture; out of the way while one looks closely. */
function Details({
  picture,
  of,
  told,
}: {
  picture: PictureView;
  of: ShownPost | undefined;
  told: readonly Facts[];
}) {
  return (
    <div className="relative max-h-[30dvh] overflow-y-auto bg-black px-4 py-2 peer-data-zoomed:invisible">
      <div className="mx-auto flex max-w-column items-start gap-3">
        <div className="min-w-0 flex-1 grid gap-1.5 py-2.5 [&_a]:text-inherit [&_a]:underline">
          {of?.post.caption && (
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              <LinkedText text={of.post.caption} mentions={of.post.mentions} />
            </p>
          )}
          {picture.alt && (
            <p dir="auto" className="text-sm whitespace-pre-wrap text-white/75 wrap-anywhere">
              <span className="me-2 rounded bg-white/15 px-1.5 py-0.5 text-xs font-semibold tracking-wide text-white">
                ALT
              </span>
              <span>{picture.alt}</span>
            </p>
          )}
          <PhotoFacts key={picture.key} pictures={[picture]} told={told} />
          {of?.signedIn && !of.post.mine && !picture.alt && (
            <a
              href={`${pathOfPost(of.post)}/describe`}
              className="inline-flex min-h-11 items-center text-sm"
            >
              Suggest alt text
            </a>
          )}
        </div>
        {of && (
          <div className="shrink-0 tabular-nums [&_button:hover]:bg-white/20 [&_button:hover]:text-white">
            <LikeButton {...of} />
          </div>
        )}
      </div>
    </div>
  );
}

/** What its author tells of how and where the photos were taken: asked for when somebody looks closely. */
function useTold(of: ShownPost | undefined): readonly Facts[] {
  const [told, setTold] = useState<readonly Facts[]>([]);
  const path =
    of?.post.detailed && `/api${pathOfPost(of.post).replace("/post/", "/posts/")}/details`;
  useEffect(() => {
    if (!path) return;
    let current = true;
    getJson<PostDetails>(path).then(
      (details) => current && setTold(factsOf(details)),
      // The photo is what one came for.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [path]);
  return told;
}

/**
 * What is drawn of a picture: at first what the page has drawn already, then its largest variant, and
 * all of the original's pixels for who looks closely.
 */
function useSources(picture: PictureView | undefined, opener: HTMLElement | null) {
  const [best, setBest] = useState<Record<string, string>>({});
  const key = picture?.key ?? "";
  const moving = picture?.moving && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const largest = picture && (moving ? movingPictureUrl(key) : largestVariant(picture).url);
  const drawn = opener?.querySelector<HTMLImageElement>("img[srcset]")?.currentSrc;

  function sharpen(): void {
    // All of the pixels are there of the first frame only.
    if (!picture || moving || fullSize(picture).width === largestVariant(picture).width) return;
    void loaded(largePictureUrl(key)).then((url) => url && setBest({ ...best, [key]: url }));
  }

  useEffect(() => {
    if (!largest) return;
    let current = true;
    const show = (url: string | null) =>
      current && url && setBest((known) => ({ [key]: url, ...known }));
    void loaded(largest).then(show);
    return () => {
      current = false;
    };
  }, [key, largest]);
  return { source: best[key] ?? (drawn || largest), sharpen };
}

/** The address of a picture once it is here; null where it does not come. */
async function loaded(url: string): Promise<string | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return url;
  } catch {
    return null;
  }
}

/** Pixels there are to be seen. Pictures of messages have no larger variant. */
function fullSize(picture: PictureView): { width: number; height: number } {
  const large = picture.key.startsWith("/") ? null : largeSize(picture);
  return large ?? largestVariant(picture);
}

/** The frame it stands in on the page. */
const placeOf = (opener: HTMLElement) =>
  opener.closest<HTMLElement>("[data-photo-frame]") ?? opener;

/** What opens the picture that one looks at now. */
function openerOf(opener: HTMLElement, index: number): HTMLElement {
  const slides = placeOf(opener).querySelectorAll<HTMLElement>("li > a");
  return slides[index] ?? opener;
}
