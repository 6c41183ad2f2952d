import { useRevalidator, Form } from "react-router";
import * as words from "#messages/people.json";
import { notifications } from "#messages/shell.json";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { RequestButtons } from "#app/features/follows/request-buttons.tsx";
import { errorMessage, sendJson } from "#app/lib/api-client.ts";
import { backToPage, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { instead } from "#app/lib/instead.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";
import { EndlessRows } from "#app/ui/endless-rows.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/follow-requests";

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return {
    page: await features.followRequests.list(member, query.get("cursor")),
    viewerId: member.id,
  };
}

export const action = formAction({
  accept: form(({ follows }) => follows.accept, backToPage),
  refuse: form(({ follows }) => follows.refuse, backToPage),
  "accept-all": form(({ follows }) => follows.acceptAll, { to: "/follow-requests" }),
});

export default function FollowRequests({ loaderData }: Route.ComponentProps) {
  const { page, viewerId } = loaderData;
  return (
    <>
      <BackLink to="/notifications">{notifications}</BackLink>
      <div className="flex flex-wrap items-start justify-between gap-x-4 max-md:pe-4">
        <ScreenTitle>{words.followRequests}</ScreenTitle>
        {page.items.length > 1 && <AcceptAll />}
      </div>
      <EndlessRows
        // Another list once everybody in it was answered.
        key={page.items[0]?.id}
        first={page}
        from="/api/follow-requests"
        empty={
          <EmptyState drawing="mailbox" title={words.noOneWaiting}>
            <p>{words.noOneWaitingText}</p>
          </EmptyState>
        }
      >
        {(account) => (
          <AccountRow key={account.id} account={account} viewerId={viewerId}>
            <div className="max-sm:basis-full max-sm:ps-21 max-sm:pb-3">
              <RequestButtons account={account} />
            </div>
          </AccountRow>
        )}
      </EndlessRows>
    </>
  );
}

function AcceptAll() {
  const { revalidate, state } = useRevalidator();
  async function acceptAll(): Promise<void> {
    try {
      await sendJson("PUT", "/api/follow-requests");
      forgetLists();
      await revalidate();
      notify.success(words.acceptedAll);
    } catch (error) {
      notify.error(fill(words.couldntAcceptAll, { problem: errorMessage(error) }));
    }
  }
  return (
    <Form method="post" className="max-md:py-3" onSubmit={instead(acceptAll)}>
      <IntentButton intent="accept-all" pending={state !== "idle"}>
        {words.acceptAll}
      </IntentButton>
    </Form>
  );
}
