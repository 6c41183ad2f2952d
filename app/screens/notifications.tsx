import * as words from "#messages/notifications.json";
import * as shell from "#messages/shell.json";
import { useEffect, useId, useState } from "react";
import { useRevalidator } from "react-router";
import type { NotificationView } from "#shared/notifications.ts";
import type { Page } from "#shared/views.ts";
import { Link } from "#app/ui/link.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { NotificationRow } from "#app/features/notifications/notification-row.tsx";
import { useLive } from "#app/lib/live/live.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { scrollToTop } from "#app/lib/page/scroll-behavior.ts";
import { setUnread } from "#app/lib/live/unread.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { periodOf, periods } from "#app/lib/text/periods.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CaretRightIcon, UserPlusIcon } from "#app/ui/icons.ts";
import { NewItemsButton } from "#app/ui/new-items-button.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/notifications";

/** Opening the page marks everything there as read. */
export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const which = query.get("tab") === "mentions" ? ("mentions" as const) : ("all" as const);
  const [{ page, unread }, requests] = await Promise.all([
    features.notifications.open(member, which, query.get("cursor")),
    features.followRequests.count(member),
  ]);
  return { which, page, requests, left: { notifications: unread } };
}

export default function Notifications({ loaderData }: Route.ComponentProps) {
  const { which, page, requests, left } = loaderData;
  // With every read of the page: the shell was read before this marked anything.
  useEffect(() => setUnread(left), [left]);
  const { isNew, show, pending } = useNews(page, left.notifications);
  const mentions = which === "mentions";
  return (
    <>
      <NewItemsButton
        label={isNew ? words.newNotifications : null}
        pending={pending}
        onPress={() => void show()}
      />
      <ScreenTitle>{words.notifications}</ScreenTitle>
      <Tabs
        label={words.notifications}
        tabs={[
          { to: "/notifications", label: words.all, current: !mentions },
          { to: "/notifications?tab=mentions", label: words.mentions, current: mentions },
        ]}
      />
      {requests > 0 && !mentions && <RequestsRow count={requests} />}
      {page.items.length > 0 ? (
        <List key={which} first={page} mentions={mentions} />
      ) : (
        <EmptyState
          title={words.allQuiet}
          action={<ButtonLink to="/search">{shell.findPeople}</ButtonLink>}
        >
          <p>{mentions ? words.quietMentions : words.quiet}</p>
        </EmptyState>
      )}
    </>
  );
}

/** People who asked to follow the member, counted to 99. */
function RequestsRow({ count }: { count: number }) {
  return (
    <Link
      to="/follow-requests"
      className="flex min-h-14 items-center gap-3 border-b border-line px-4 py-2 font-medium hover:bg-base-200"
    >
      <UserPlusIcon className="size-6 shrink-0 text-muted" aria-hidden />
      {words.followRequests}
      <span className="ms-auto rounded-full bg-primary px-2.5 text-sm leading-6 text-primary-content">
        {count}
      </span>
      <CaretRightIcon className="size-5 shrink-0 text-muted rtl:-scale-x-100" aria-hidden />
    </Link>
  );
}

/**
 * More is unread than when the page was read: something new arrived. It is shown on request, since a list
 * that moves by itself takes away what one is about to press; an empty one fills itself.
 */
function useNews(page: Page<NotificationView>, left: number) {
  const { revalidate, state } = useRevalidator();
  const [newsFor, setNewsFor] = useState<typeof page | null>(null);
  useLive("unread", ({ notifications }) => {
    const news = notifications > left;
    if (news && page.items.length === 0 && document.visibilityState === "visible") {
      void revalidate();
    } else setNewsFor(news ? page : null);
  });

  async function show(): Promise<void> {
    await revalidate();
    scrollToTop();
  }
  return { isNew: newsFor === page, show, pending: state !== "idle" };
}

const titles = { today: words.today, week: words.week, earlier: words.earlier };

function List({ first, mentions }: { first: Page<NotificationView>; mentions: boolean }) {
  const list = useInfiniteList(first, `/api/notifications${mentions ? "?only=mentions" : ""}`);
  const timeZone = useTimeZone();
  const now = useRootData()?.now ?? 0;
  const of = (period: (typeof periods)[number]) =>
    list.items.filter(({ at }) => periodOf(at, now, timeZone) === period);
  return (
    <>
      {periods.map((period) => (
        <Period key={period} title={titles[period]} views={of(period)} />
      ))}
      <ListFoot list={list} label={words.olderNotifications} waiting={<AccountSkeleton />} />
    </>
  );
}

function Period({ title, views }: { title: string; views: NotificationView[] }) {
  const id = useId();
  if (views.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="px-4 pt-5 pb-2 font-semibold">
        {title}
      </h2>
      <ul>
        {views.map((view) => (
          <NotificationRow key={view.id} view={view} />
        ))}
      </ul>
    </section>
  );
}
