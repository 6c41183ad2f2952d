import { Form, redirect } from "react-router";
import { refuse } from "#shared/errors.ts";
import { appContext } from "#app/lib/context.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/delete-message.ts";

/** Where a message's Delete leads without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  await orRefusalPage(features.chat.refAt(requireMember({ viewer }), params.chatId));
  if (!/^[1-9]\d{0,8}$/.test(params.seq)) await orRefusalPage(Promise.reject(refuse("not-found")));
  return { back: `/chat/${encodeURIComponent(params.chatId)}` };
}

export async function action({ params, context }: Route.ActionArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const { chatId, seq } = params;
  const conversationId = await orRefusalPage(features.chat.refAt(member, chatId));
  await orRefusalPage(features.chat.removeMessage(member, conversationId, Number(seq)));
  throw redirect(`/chat/${encodeURIComponent(chatId)}`);
}

export default function DeleteMessage({ loaderData: { back } }: Route.ComponentProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>Delete · Postcard</title>
      <h1 className="text-xl font-semibold">Delete this message for both of you?</h1>
      <p className="text-muted">This cannot be undone.</p>
      <Form method="post" className="flex gap-3">
        <Button type="submit" look="delete">
          OK
        </Button>
        <ButtonLink to={back}>Cancel</ButtonLink>
      </Form>
    </div>
  );
}
