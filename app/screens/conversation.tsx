import { redirect } from "react-router";
import * as words from "#messages/chat.json";
import { readConversation } from "#app/features/chat/read-conversation.server.ts";
import { ConversationPane } from "#app/features/chat/conversation-pane.tsx";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage, requireMember } from "#app/lib/refusals.server.ts";
import { act, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { conversationPathAt } from "#app/lib/text/links.ts";
import type { Route } from "./+types/conversation";

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const name = loaderData?.opened.other?.name;
  return [
    { title: name ? documentTitle(name, words.chats) : documentTitle(words.chats) },
    metaDescription,
  ];
};

/** A conversation is for its two members: a visitor is asked to sign in, for everybody else it is a 404. */
export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const before = url.searchParams.get("before");
  const opened = await readConversation(features.chat, member, params.chatId, before);
  const last = opened.slice.messages.at(-1)?.seq ?? 0;
  // Opening it as a document marks it as read; scripts report what was seen themselves.
  if (opensDocument(request) && opened.conversationId !== null && last > opened.readSeq) {
    await features.chat.markOpened(member, opened.conversationId, last);
  }
  return { opened, viewerId: member.id, clientKey: crypto.randomUUID() };
}

function opensDocument({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").includes("text/html");
}

/** The forms of a conversation without scripts: a mute; a message, with or without a photo. */
export const action = formAction(
  {
    mute: form(({ chats }) => chats.mute, { to: ({ params }) => conversationPathAt(params) }),
    unmute: form(({ chats }) => chats.unmute, { to: ({ params }) => conversationPathAt(params) }),
    // Text and a photo in one form: scripts make two calls.
    send: act(
      async (page, { fields: { body = "", clientKey: formKey = "" }, file, params }) => {
        const { chatId = "" } = params;
        const sending = { body, picture: file("picture"), formKey };
        await page.features.chat.sendFromForm(requireMember(page), chatId, sending);
        return redirect(conversationPathAt(params));
      },
      ["body"],
    ),
  },
  { allow: requireMember, maxFiles: 1 },
);

export default function ConversationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, viewerId, clientKey } = loaderData;
  const { other, conversationId } = opened;
  return (
    <ConversationPane
      key={other?.id ?? conversationId}
      opened={opened}
      viewerId={viewerId}
      clientKey={clientKey}
      returned={actionData}
    />
  );
}
