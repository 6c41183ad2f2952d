import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { HideDialog } from "#app/features/blocks/hide-dialog.tsx";
import { ReportDialog } from "#app/features/reports/report-dialog.tsx";
import { reportedPost } from "#app/features/reports/report-path.ts";
import { AudienceDialog } from "#app/features/posts/audience/audience-dialog.tsx";
import { copyLink } from "#app/lib/text/copy-link.ts";
import { sendJson, errorMessage } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { apiPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { confirmDeletion } from "#app/ui/ask.ts";

/** The action of an entry in a post's menu, with scripts. */
export type Act = "copy" | "audience" | "delete" | "mute" | "block" | "report";

type Props = { act: Act; post: PostView; ownPage: boolean; onClose: () => void };

/** Runs the chosen action of a post's menu; questions open in a dialog. */
export function PostAct({ act, post, ownPage, onClose }: Props) {
  if (act === "mute" || act === "block") {
    return <HideDialog account={post.author} wanted={act} theirPage={ownPage} onClose={onClose} />;
  }
  if (act === "audience") return <AudienceDialog {...{ post, ownPage, onClose }} />;
  if (act === "report") return <ReportDialog reported={reportedPost(post)} onClose={onClose} />;
  return <Once key={act} {...{ act, post, ownPage, onClose }} />;
}

function Once({ act, post, ownPage, onClose }: Props) {
  const navigate = useNavigate();
  const run = useEffectEvent(() => {
    onClose();
    if (act === "copy") void copyLink(pathOfPost(post));
    else void deletePost(post, ownPage ? () => navigate("/profile", { replace: true }) : null);
  });
  useEffect(() => run(), []);
  return null;
}

/** Asks, and deletes one's own post; `leave` leaves its page, otherwise it is removed from the lists. */
async function deletePost(
  post: PostView,
  leave: (() => Promise<void> | void) | null,
): Promise<void> {
  if (!(await confirmDeletion(words.deletePost, words.deletionNote))) return;
  try {
    await sendJson("DELETE", apiPathOf(post));
  } catch (error) {
    notify.error(fill(words.postNotDeleted, { problem: errorMessage(error) }));
    return;
  }
  if (leave) {
    forgetLists();
    await leave();
  } else {
    changeListed(post.id, () => null);
    notify.success(words.postDeleted);
  }
}
