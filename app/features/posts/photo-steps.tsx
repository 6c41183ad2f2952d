import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon } from "#app/ui/icons.ts";

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
        label={first && posts?.before ? "Previous post" : "Previous photo"}
        aria-disabled={first && !posts?.before}
        className={`start-2 ${className}`}
        onClick={() => go(index - 1)}
      >
        <CaretLeftIcon className="size-6" aria-hidden />
      </IconButton>
      <IconButton
        label={end && posts?.after ? "Next post" : "Next photo"}
        aria-disabled={end && !posts?.after}
        className={`end-2 ${className}`}
        onClick={() => go(index + 1)}
      >
        <CaretRightIcon className="size-6" aria-hidden />
      </IconButton>
    </>
  );
}
