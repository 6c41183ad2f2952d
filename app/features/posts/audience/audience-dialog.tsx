import { useState } from "react";
import { useRevalidator } from "react-router";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { ShownAudience } from "#shared/posts.ts";
import type { PostView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/posts.json";
import { AudienceChoices } from "#app/features/posts/audience/audience-choices.tsx";
import { errorMessageAbout, sendJson } from "#app/lib/api-client.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { Dialog } from "#app/ui/dialog.tsx";

const saved: Record<ShownAudience, string> = {
  everyone: words.nowForEveryone,
  followers: words.nowForFollowers,
  "close-friends": words.nowForCloseFriends,
  album: words.stillForAlbum,
  "only-me": words.nowForOnlyMe,
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
      notify.error(fill(words.nothingChanged, { problem: errorMessageAbout("post", error) }));
    }
  }

  return (
    <Dialog
      title={words.whoCanSee}
      ok={common.save}
      cancel={common.cancel}
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
