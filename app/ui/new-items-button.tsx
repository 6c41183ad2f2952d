import { ArrowUpIcon } from "#app/ui/icons.ts";
import { Spinner } from "#app/ui/spinner.tsx";

type Props = {
  /** "3 new posts"; null: nothing is new */
  label: string | null;
  pending: boolean;
  onPress: () => void;
};

/** Over the top of a list: says that there are newer items. */
export function NewItemsButton({ label, pending, onPress }: Props) {
  return (
    // It takes no space, so that nothing moves when it appears or disappears.
    <output className="pointer-events-none sticky top-17 md:top-2 z-10 flex h-0 justify-center no-print">
      {label !== null && (
        <button
          type="button"
          onClick={onPress}
          className="btn btn-primary pointer-events-auto gap-2 rounded-full shadow-lg motion-appear"
        >
          {pending ? <Spinner /> : <ArrowUpIcon className="size-5" aria-hidden />}
          {label}
        </button>
      )}
    </output>
  );
}
