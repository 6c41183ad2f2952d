import { memo, type MouseEvent } from "react";
import * as words from "#messages/bring.json";
import type { DeviceExport, DevicePost } from "#app/features/archive/device/read-export.ts";
import { moveByArrows } from "#app/features/archive/bring/move-by-arrows.ts";
import { dayOf } from "#app/features/archive/bring/post-problems.ts";
import { useThumbnail } from "#app/features/archive/bring/thumbnails.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { CheckCircleIcon, ImagesIcon } from "#app/ui/icons.ts";

type Props = {
  post: DevicePost;
  /** its place among all */
  index: number;
  ticked: boolean;
  /** it is here already */
  known: boolean;
  photo: DeviceExport["photo"];
  onTick: (index: number, tick: { on: boolean; range: boolean }) => void;
};

/** One post of an export: its first photo with a box to tick. */
export const PostTile = memo(function PostTile(props: Props) {
  const { post, index, ticked, known, photo, onTick } = props;
  const { caption, pictures } = post;
  const [first, second] = pictures;
  const { ref, unreadable } = useThumbnail(first && !first.url ? () => photo(first.file) : null);
  const count = second ? counted(words.photos, pictures.length) : "";
  const here = known ? words.labelHereAlready : "";
  const label = [dayOf(post), firstGraphemes(caption, 80), count, here].filter(Boolean).join(", ");
  return (
    <div className="relative aspect-square overflow-hidden bg-base-200 has-focus-visible:outline-2">
      <input
        type="checkbox"
        // Over all of it: a click on a label says nothing of Shift in some browsers.
        className="absolute inset-0 z-10 size-full cursor-pointer opacity-0 disabled:cursor-default"
        aria-label={label}
        data-place={index}
        onKeyDown={moveByArrows}
        checked={ticked}
        disabled={known}
        onClick={({ currentTarget, shiftKey }: MouseEvent<HTMLInputElement>) =>
          onTick(index, { on: currentTarget.checked, range: shiftKey })
        }
        // It is controlled; the click says whether a range is meant.
        onChange={() => undefined}
      />
      {unreadable ? (
        <span className="grid size-full place-content-center gap-1 p-2 text-center text-xs">
          <span className="font-medium">{dayOf(post)}</span>
          <span dir="auto" className="line-clamp-3 wrap-anywhere text-muted">
            {firstGraphemes(caption, 60)}
          </span>
        </span>
      ) : null}
      <canvas
        ref={ref}
        aria-hidden
        className={`absolute inset-0 size-full object-cover ${unreadable ? "hidden" : ""} ${
          ticked ? "" : "opacity-40"
        }`}
      />
      {known ? (
        <span
          aria-hidden
          className="absolute inset-x-0 bottom-0 bg-black/60 px-1.5 py-0.5 text-xs text-white"
        >
          {words.hereAlready}
        </span>
      ) : (
        <span
          aria-hidden
          className={`absolute end-1 bottom-3 size-6 rounded-full ${
            ticked ? "bg-base-100 text-primary" : "border-2 border-line bg-black/60"
          }`}
        >
          {ticked ? <CheckCircleIcon weight="fill" className="size-6" /> : null}
        </span>
      )}
      {second ? (
        <span
          aria-hidden
          className="absolute end-1 top-1 flex items-center gap-1 rounded-full bg-black/60 px-1.5 py-0.5 text-xs text-white"
        >
          <ImagesIcon weight="fill" className="size-3.5" />
          {pictures.length}
        </span>
      ) : null}
    </div>
  );
});
