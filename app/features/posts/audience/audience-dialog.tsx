import { useState } from "react";
import { useRevalidator } from "react-router";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { ShownAudience } from "#shared/posts.ts";
import type { PostView } from "#shared/views.ts";
import { AudienceChoices } from "#app/features/posts/audience/audience-choices.tsx";
import { errorMessageAbout, sendJson } from "#app/lib/api-client.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { notify } from "#app/lib/toasts.ts";
import { Dialog } from "#app/ui/dialog.tsx";

const saved: Record<ShownAudience, string> = {
  everyone: "Now for everyone, with its likes and comments.",
  followers: "Now for followers. Likes and comments stay, and only they can see them.",
  "close-friends": "Now for close friends. Likes and comments stay, and only they can see them.",
  album: "Still for whoever can see its album.",
  "only-me": "Now only you can see it. Likes and comments stay, and come back with it.",
};

type Props = { post: PostView; ownPage: boolean; onClose: () => void };

/** Changes who can see one's own post. */
export function AudienceDialog({ post, ownPage, onClose }: Props) {
  const [chosen, setChosen] = useState(post.audience);
  const { revalidate } = useRevalidator();

  async function save(): Promise<void> {
    const { version } = post;
    try {
      const { audience, ...now } = await sendJson<PostView>("PATCH", apiPathOf(post), {
        version,
        audience: chosen,
      });
      changeListed<PostView>(post.id, (card) => ({ ...card, audience, version: now.version }));
      if (ownPage) await revalidate();
      notify.success(saved[effectiveAudience(audience, now.private)]);
    } catch (error) {
      notify.error(`Nothing changed for your post. ${errorMessageAbout("post", error)}`);
    }
  }

  return (
    <Dialog
      title="Who can see it"
      ok="Save"
      cancel="Cancel"
      onClose={(sure) => {
        onClose();
        if (sure && chosen !== post.audience) void save();
      }}
    >
      <AudienceChoices
        chosen={chosen}
        saved={post.audience}
        isPrivate={post.private}
        onChange={setChosen}
      />
    </Dialog>
  );
}
