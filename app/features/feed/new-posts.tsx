import { useRevalidator } from "react-router";
import { limits } from "#shared/limits.ts";
import { newPosts } from "#messages/posts.json";
import { useNewerCount } from "#app/features/feed/use-newer-count.ts";
import { scrollToTop } from "#app/lib/page/scroll-behavior.ts";
import { fill, formOf } from "#app/lib/text/messages.tsx";
import { NewItemsButton } from "#app/ui/new-items-button.tsx";

/** "3 new posts", over the top of the home feed: a press shows them and scrolls up there. */
export function NewPosts({ firstId }: { firstId: string }) {
  const count = useNewerCount(firstId);
  const { revalidate, state } = useRevalidator();

  async function show(): Promise<void> {
    await revalidate();
    scrollToTop();
  }

  return (
    <NewItemsButton
      label={count > 0 ? newPostsText(count) : null}
      pending={state !== "idle"}
      onPress={() => void show()}
    />
  );
}

function newPostsText(count: number): string {
  const shown = count < limits.newerPosts ? count : `${limits.newerPosts}+`;
  return fill(formOf(newPosts, count), { count: shown });
}
