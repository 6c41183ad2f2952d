import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon } from "#app/ui/icons.ts";

type Props = {
  /** index of the shown photo, from 0 */
  index: number;
  last: number;
  go: (index: number) => void;
  className: string;
};

/** Buttons at both sides of a photo: previous and next. */
export function PhotoSteps({ index, last, go, className }: Props) {
  return (
    <>
      <IconButton
        label="Previous photo"
        aria-disabled={index === 0}
        className={`start-2 ${className}`}
        onClick={() => go(index - 1)}
      >
        <CaretLeftIcon className="size-6" aria-hidden />
      </IconButton>
      <IconButton
        label="Next photo"
        aria-disabled={index === last}
        className={`end-2 ${className}`}
        onClick={() => go(index + 1)}
      >
        <CaretRightIcon className="size-6" aria-hidden />
      </IconButton>
    </>
  );
}
