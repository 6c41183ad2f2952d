import * as common from "#messages/common.json";
import { instead } from "#app/lib/instead.ts";
import { Button } from "#app/ui/button.tsx";
import { TrashIcon } from "#app/ui/icons.ts";

/** On the page of one's own post. Without scripts the form leads to a page that asks first. */
export function DeletePost({ path, onPress }: { path: string; onPress: () => void }) {
  return (
    <form action={`${path}/delete`} onSubmit={instead(onPress)}>
      <Button type="submit" look="quiet" title={common.delete} className="px-3">
        <TrashIcon className="size-5 max-sm:hidden" aria-hidden />
        {/* Beside a photo the row is short. */}
        <span className="lg:sr-only">{common.delete}</span>
      </Button>
    </form>
  );
}
