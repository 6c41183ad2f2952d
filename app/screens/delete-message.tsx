import { refuse } from "#shared/errors.ts";
import { appContext } from "#app/lib/context.server.ts";
import { requireMember } from "#app/lib/refusals.server.ts";
import { threadAt } from "#app/lib/text/links.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { AskPage } from "#app/ui/ask-page.tsx";
import type { Route } from "./+types/delete-message.ts";

/** Where a message's Delete leads without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  await features.chat.refAt(requireMember({ viewer }), params.chatId);
  if (!/^[1-9]\d{0,8}$/.test(params.seq)) throw refuse("not-found");
  return { back: `/chat/${encodeURIComponent(params.chatId)}` };
}

export const action = formAction({
  [unnamed]: form(({ chats }) => chats.removeMessage, { to: ({ params }) => threadAt(params) }),
});

export default function DeleteMessage({ loaderData: { back } }: Route.ComponentProps) {
  return (
    <AskPage question="Delete this message for both of you?" back={back}>
      This can't be undone.
    </AskPage>
  );
}
