import type { ReactNode } from "react";
import { Form } from "react-router";
import type { PostView } from "#shared/views.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { instead } from "#app/lib/instead.ts";

type Props = {
  post: Pick<PostView, "id" | "author" | "number">;
  /** a visitor is led to the sign-in form and back */
  signedIn: boolean;
  /** the `intent` that the form sends to the post's page when no script runs */
  intent: "like" | "unlike" | "save" | "unsave";
  /** the comment it is about, instead of the post */
  comment?: string;
  onToggle: () => void;
  children: ReactNode;
};

const field = fieldsOf<FormCalls["comments"]["like"]>();

/** The form around a toggle of a post. Without scripts it returns to the same post. */
export function ToggleForm({ post, comment, signedIn, intent, onToggle, children }: Props) {
  const back = <BackHere at={comment ? `comment-${comment}` : post.id} />;
  if (!signedIn) {
    return (
      <Form action="/signIn">
        {back}
        {children}
      </Form>
    );
  }
  return (
    <form method="post" action={pathOfPost(post)} onSubmit={instead(onToggle)}>
      {back}
      <input type="hidden" name="intent" value={comment ? `${intent}-comment` : intent} />
      {comment && <input type="hidden" name={field("commentId")} value={comment} />}
      {children}
    </form>
  );
}
