import * as words from "#messages/chat.json";
import { refuse } from "#shared/errors.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { conversationPathAt } from "#app/lib/text/links.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { ConfirmPage } from "#app/ui/confirm-page.tsx";
import type { Route } from "./+types/delete-message";

/** The page of a message's Delete without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  await features.chat.refAt(member, params.chatId);
  if (!/^[1-9]\d{0,8}$/.test(params.seq)) throw refuse("not-found");
  return { back: `/chat/${encodeURIComponent(params.chatId)}` };
}

export const action = formAction({
  [unnamed]: form(({ chats }) => chats.removeMessage, {
    to: ({ params }) => conversationPathAt(params),
  }),
});

export default function DeleteMessage({ loaderData: { back } }: Route.ComponentProps) {
  return (
    <ConfirmPage question={words.deleteQuestion} back={back}>
      {words.cannotUndo}
    </ConfirmPage>
  );
}
