import { direction } from "#messages/language.json";
import * as words from "#messages/lightbox.json";
import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon } from "#app/ui/icons.ts";

/** Where the right side leads: to the next photo, or to the one before where one reads from right to left. */
export const rightward = direction === "rtl" ? -1 : 1;

type Props = {
  /** index of the shown photo, from 0 */
  index: number;
  last: number;
  go: (index: number) => void;
  /** there are posts before the first photo, and after the last one */
  posts?: { before: boolean; after: boolean };
  className: string;
};

/** Buttons at both sides of a photo: previous and next; at its ends to other posts, if there are any. */
export function PhotoSteps({ index, last, go, posts, className }: Props) {
  const [first, end] = [index === 0, index === last];
  return (
    <>
      <IconButton
        label={first && posts?.before ? words.previousPost : words.previousPhoto}
        aria-disabled={first && !posts?.before}
        className={`start-2 ${className}`}
        onClick={() => go(index - 1)}
      >
        <CaretLeftIcon className="size-6 rtl:-scale-x-100" aria-hidden />
      </IconButton>
      <IconButton
        label={end && posts?.after ? words.nextPost : words.nextPhoto}
        aria-disabled={end && !posts?.after}
        className={`end-2 ${className}`}
        onClick={() => go(index + 1)}
      >
        <CaretRightIcon className="size-6 rtl:-scale-x-100" aria-hidden />
      </IconButton>
    </>
  );
}
