import type { PostView } from "#shared/views.ts";
import * as words from "#messages/collections.json";
import { ToggleForm } from "#app/lib/toggles/toggle-form.tsx";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { BookmarkSimpleIcon } from "#app/ui/icons.ts";

type Props = { post: PostView; signedIn: boolean };

/** Save and UnSave change at once. */
export function BookmarkButton({ post, signedIn }: Props) {
  const { shown, set } = useToggle<{ saved: boolean }>({
    thing: "post",
    now: post.saved,
    save: (next) => setOrWithdraw(`${apiPathOf(post)}/save`, next),
    onSaved: ({ saved }) => changeListed<PostView>(post.id, (listed) => ({ ...listed, saved })),
    failure: (next) => (next ? words.couldntSave : words.couldntUnsave),
  });
  return (
    <ToggleForm
      post={post}
      signedIn={signedIn}
      intent={shown ? "unsave" : "save"}
      onToggle={() => set(!shown)}
    >
      <button
        type="submit"
        data-shortcut="save"
        className="flex h-11 items-center gap-1.5 rounded-full px-3 text-sm font-medium hover:bg-base-content/8 hover:text-base-content"
      >
        <BookmarkSimpleIcon
          weight={shown ? "fill" : "regular"}
          className={`size-6 ${shown ? "text-primary" : ""}`}
          aria-hidden
        />
        {shown ? words.unsave : words.save}
      </button>
    </ToggleForm>
  );
}
