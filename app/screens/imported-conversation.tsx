import * as words from "#messages/data.json";
import { memberPage } from "#app/lib/refusals.server.ts";
import { ImportedMessage } from "#app/features/archive/imported-message.tsx";
import { rich } from "#app/lib/text/messages.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/imported-conversation";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const cursor = url.searchParams.get("cursor");
  return features.importedConversations.conversation(member, params.id, cursor);
}

/** One conversation from an imported archive, oldest message first. */
export default function ImportedConversation({ loaderData }: Route.ComponentProps) {
  const { id, other, messages } = loaderData;
  const name = other?.name ?? words.unknownPerson;
  return (
    <>
      <BackLink to="/settings/data/messages">{words.importedMessages}</BackLink>
      <ScreenTitle title={words.importedMessages}>
        <bdi className="wrap-anywhere">{name}</bdi>
      </ScreenTitle>
      <div className="grid gap-4 px-4 pb-8 md:px-0">
        <p className="text-sm text-pretty text-muted">
          {other ? rich(words.usernameThere, { username: <bdi>@{other.username}</bdi> }) : null}{" "}
          {words.copyAbout}
        </p>
        <ol className="grid gap-3" aria-label={words.messages}>
          {messages.items.map((message) => (
            <ImportedMessage key={message.number} message={message} name={name} />
          ))}
        </ol>
        <div className="flex flex-wrap justify-between gap-3">
          <OlderLink cursor={messages.nextCursor}>{words.laterMessages}</OlderLink>
          <ButtonLink to={`/settings/data/messages/${id}/delete`} look="danger">
            {words.deleteCopy}
          </ButtonLink>
        </div>
      </div>
    </>
  );
}
