import { data, Form, redirect } from "react-router";
import { about } from "#app/lib/about.ts";
import { appContext } from "#app/lib/context.ts";
import { setCookies } from "#app/lib/cookies.ts";
import { Button } from "#app/ui/button.tsx";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/sign-out.ts";

export const meta: Route.MetaFunction = () => [{ title: "Sign Out · Postcard" }, about];

/** Somebody who opens the address by hand is asked: a GET never signs anybody out. */
export function loader({ context }: Route.LoaderArgs) {
  const { viewer, leaving } = context.get(appContext);
  if (!viewer && !leaving) throw redirect("/");
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { features } = context.get(appContext);
  const cookie = request.headers.get("Cookie") ?? undefined;
  const { cookies } = await features.identity.signOut({ cookie });
  return data({ signedOut: true }, { headers: setCookies(cookies) });
}

export default function SignOut({ actionData }: Route.ComponentProps) {
  if (actionData?.signedOut) {
    return (
      <LazyDialog
        title="Success"
        text="Signed Out Successfully"
        okTo="/"
        onClose={() => window.location.assign("/")}
      />
    );
  }
  return (
    <Form method="post" reloadDocument>
      <EmptyState
        heading
        title="Leaving for now?"
        action={
          <Button type="submit" look="primary" className="min-w-40">
            Sign Out
          </Button>
        }
      />
    </Form>
  );
}
