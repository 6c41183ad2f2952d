import * as words from "#messages/account.json";
import { home } from "#messages/shell.json";
import { CardForm } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { linkPageMeta } from "#app/features/identity/verification/link-page.ts";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/stop-emails";

export const meta: Route.MetaFunction = () => [
  { title: documentTitle(words.dailyEmails) },
  linkPageMeta,
];

/** Where a daily email links to unsubscribe: without signing in. A GET changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { features } = context.get(appContext);
  features.digest.accountOf(params.token);
  return null;
}

/** Also used by mail programs on their own (RFC 8058). */
export async function action({ params, context }: Route.ActionArgs) {
  const { features } = context.get(appContext);
  await features.digest.stop(params.token);
  return { stopped: true };
}

export default function StopEmails({ actionData }: Route.ComponentProps) {
  if (actionData?.stopped) {
    return (
      <PostcardCard
        title={words.dailyEmailsStopped}
        line={<p className="text-muted">{words.dailyEmailsStoppedText}</p>}
      >
        <ButtonLink to="/" className="w-full">
          {home}
        </ButtonLink>
      </PostcardCard>
    );
  }
  return (
    <PostcardCard
      title={words.stopDailyEmails}
      line={<p className="text-muted">{words.stopDailyEmailsText}</p>}
    >
      <CardForm button={words.stopThem} />
    </PostcardCard>
  );
}
