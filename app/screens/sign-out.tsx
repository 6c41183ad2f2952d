import { useEffect } from "react";
import {
  createContext,
  data,
  Form,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import * as words from "#messages/account.json";
import { success } from "#messages/identity.json";
import { signOut } from "#messages/shell.json";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { clearBrowserData } from "#app/lib/browser-data.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { notifyOtherTabs } from "#app/lib/live/session-channel.ts";
import { Submit } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/sign-out";

export const meta = pageMeta(signOut);

/** The request that signs out is answered with a page for a visitor. */
const signedOutNow = createContext(false);

/** Somebody who opens the address by hand is asked: a GET never signs anybody out. */
export function loader({ context }: Route.LoaderArgs) {
  const { viewer, leaving } = context.get(appContext);
  if (!viewer && !leaving && !context.get(signedOutNow)) throw redirect("/");
  return null;
}

/** In this document: reading the page again, because of another tab, would remove the answer. */
let said = false;

/** Nobody is redirected before the dialog was read. */
export function shouldRevalidate({ defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return !said && defaultShouldRevalidate;
}

export async function action({ request, context }: Route.ActionArgs) {
  const page = context.get(appContext);
  const cookie = request.headers.get("Cookie") ?? undefined;
  const { cookies } = await page.features.identity.sessions.signOut({ cookie });
  context.set(appContext, { ...page, viewer: null, leaving: null });
  context.set(signedOutNow, true);
  return data({ signedOut: true }, { headers: setCookies(cookies) });
}

export default function SignOut({ actionData }: Route.ComponentProps) {
  if (actionData?.signedOut || said) return <SignedOut />;
  return (
    <Form method="post" reloadDocument>
      <EmptyState
        heading
        title={words.leavingForNow}
        action={<Submit className="min-w-40">{signOut}</Submit>}
      />
    </Form>
  );
}

/** Its dialog comes with the document: it is there before scripts run, and stays when they do. */
function SignedOut() {
  useEffect(() => {
    said = true;
    forgetLists();
    clearBrowserData();
    notifyOtherTabs("signed-out");
  }, []);
  return (
    <Dialog
      title={success}
      text={words.signedOut}
      okTo="/"
      onClose={() => window.location.assign("/")}
    />
  );
}
