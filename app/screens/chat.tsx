import { data, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import { readThread } from "#app/features/chat/read-thread.server.ts";
import { Thread } from "#app/features/chat/thread.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import {
  orRefusalPage,
  refusalPage,
  requireMember,
  refusedInit,
  retryAfterHeaders,
} from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/chat.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const name = loaderData?.opened.other?.name;
  return [{ title: name ? titled(name, "Chats") : titled("Chats") }, about];
};

/** A thread is for its two members: a visitor is asked to sign in, for everybody else it is a 404. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const before = new URL(request.url).searchParams.get("before");
  const opened = await orRefusalPage(readThread(features.chat, member, params.chatId, before));
  const last = opened.slice.messages.at(-1)?.seq ?? 0;
  // Whoever opens it as a document looks at it; scripts say what was seen themselves.
  if (opensDocument(request) && opened.conversationId !== null && last > opened.readSeq) {
    await features.chat.markOpened(member, opened.conversationId, last);
  }
  return { opened, viewerId: member.id, clientKey: crypto.randomUUID() };
}

function opensDocument({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").includes("text/html");
}

/** Only Retry-After, where too much was written. */
export const headers = retryAfterHeaders;

/** What the forms of a thread send when no script does: a message, a photo, a mute. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  const form = await orRefusalPage(readForm(request, { maxFiles: 1 }));
  const { intent, body = "" } = form.fields;
  const { chatId } = params;
  if (intent === "send") {
    const picture = form.file("picture");
    const sending = { body, picture, formKey: form.fields.clientKey ?? "" };
    const problem = await problemOf(features.chat.sendFromForm(member, chatId, sending));
    if (problem) return data({ body, problem: problem.text }, problem.init);
  } else {
    await orRefusalPage(grant(features.chat, member, chatId, intent));
  }
  throw redirect(`/chat/${chatId}`);
}

/** Why it was not sent, for beside the words; where there is no such thread, its page. */
async function problemOf(sending: Promise<unknown>) {
  try {
    await sending;
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === "not-found") throw refusalPage(error);
    return { text: error.fields?.["body"] ?? error.message, init: refusedInit(error) };
  }
}

async function grant(
  chat: PageContext["features"]["chat"],
  viewer: Viewer,
  chatId: string,
  intent: string | undefined,
): Promise<void> {
  if (intent !== "mute" && intent !== "unmute") throw refuse("input-invalid");
  await chat.mute(viewer, await chat.refAt(viewer, chatId), intent === "mute");
}

export default function Chat({ loaderData, actionData }: Route.ComponentProps) {
  const { opened, viewerId, clientKey } = loaderData;
  const { other, conversationId } = opened;
  return (
    <Thread
      key={other?.id ?? conversationId}
      opened={opened}
      viewerId={viewerId}
      clientKey={clientKey}
      returned={actionData}
    />
  );
}
