import type { SubmitEvent } from "react";
import { data, Form, redirect, type HeadersArgs } from "react-router";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/security.json";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { useSeen } from "#app/lib/page/use-seen.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { rightLabels } from "#app/features/identity/security/right-labels.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, Submit } from "#app/ui/button.tsx";
import type { Route } from "./+types/authorize-app";

export const meta = pageMeta(words.connectAnApp);

/** The app's request is in the address (RFC 6749, section 4.1.1). */
function askedIn({ url: address }: { url: string }) {
  const query = new URL(address).searchParams;
  const one = (name: string) => query.get(name) ?? "";
  return {
    clientId: one("client_id"),
    redirectUri: one("redirect_uri"),
    scope: one("scope"),
    responseType: one("response_type"),
    challenge: one("code_challenge"),
    challengeMethod: one("code_challenge_method"),
    state: query.get("state"),
  };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const asked = askedIn(request);
  const consent = await features.apps.consentFor(asked);
  if (!viewer) throw redirect(signInPath(new URL(request.url)));
  const { name, website, redirectUri, rights, showsCode, formTarget } = consent;
  const shown = { name, website, redirectUri, rights, showsCode, viewer: summaryOf(viewer) };
  const headers: Record<string, string> = { "Cache-Control": "private, no-store" };
  // A browser follows a form's redirect only where the page's policy allows it.
  if (formTarget !== null) headers["Postcard-Form-Target"] = formTarget;
  return data(shown, { headers });
}

/**
 * Always as a document: its policy lets the form redirect to the app; that of the page before, such as a
 * sign-in, does not.
 */
export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<never> {
  window.location.replace(request.url);
  return new Promise<never>(() => undefined);
}

export const headers = ({ loaderHeaders }: HeadersArgs): Headers => loaderHeaders;

const summaryOf = ({ name, username, avatar }: Viewer) => ({ name, username, avatar });

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { fields } = await readForm(request);
  const asked = askedIn(request);
  if (!viewer) throw redirect(signInPath(new URL(request.url)));
  const { state } = asked;
  const { decision } = fields;
  if (decision !== "allow" && decision !== "deny") throw refuse("input-invalid");
  const { showsCode, redirectUri } = await features.apps.consentFor(asked);
  if (decision === "deny") {
    if (showsCode) throw redirect("/");
    const refusal = { error: "access_denied", error_description: "The member said no.", state };
    return redirect(features.apps.answerAddress(redirectUri, refusal));
  }
  const code = await features.apps.allow(viewer, asked);
  if (showsCode) return data({ code }, { headers: { "Cache-Control": "private, no-store" } });
  return redirect(features.apps.answerAddress(redirectUri, { code, state }));
}

/** Asks a member whether an app may have the rights it requests; works without scripts, too. */
export default function AuthorizeApp({ loaderData, actionData }: Route.ComponentProps) {
  const { name, website, redirectUri, rights, showsCode, viewer } = loaderData;
  if (actionData?.code) return <CodeToCopy name={name} code={actionData.code} />;
  return (
    <PostcardCard
      alone
      title={words.connectAnApp}
      line={
        <p className="wrap-anywhere">
          {rich(words.appWants, { name: <bdi className="font-semibold">{name}</bdi> })}
        </p>
      }
    >
      <div className="flex items-center gap-3">
        <Avatar name={viewer.name} image={viewer.avatar} size="md" />
        <p className="min-w-0 wrap-anywhere">
          {rich(words.signedInAs, {
            name: <bdi className="font-medium">{viewer.name}</bdi>,
            username: <bdi className="text-muted">@{viewer.username}</bdi>,
          })}
        </p>
      </div>
      <section className="grid gap-2">
        <h2 className="font-semibold">{words.appWillBeAble}</h2>
        <ul className="grid list-disc gap-1 ps-5">
          {rights.map((right) => (
            <li key={right}>{rightLabels[right]}</li>
          ))}
        </ul>
        <p className="mt-2 text-sm text-muted">{words.appNever}</p>
      </section>
      <div className="grid gap-2 text-sm text-muted">
        <dl className="grid gap-2 empty:hidden">
          {website ? <Address label={words.appWebsite} address={website} /> : null}
          {showsCode ? null : <Address label={words.appSendsTo} address={redirectUri} />}
        </dl>
        <p>
          {showsCode ? words.appShowsCode : null} {words.appWarning}
        </p>
      </div>
      <Decision />
    </PostcardCard>
  );
}

/** In a line of its own, so that its host is seen at once. */
function Address({ label, address }: { label: string; address: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="font-medium wrap-anywhere text-base-content">
        <bdi dir="ltr">{address}</bdi>
      </dd>
    </div>
  );
}

/** Milliseconds that the page was in front before a press on Connect counts. */
const readMs = 1000;

/** Nobody connects an app by a click or a key that was meant for something on top of this page. */
function Decision() {
  const seen = useSeen(readMs);
  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as globalThis.SubmitEvent;
    const denies = submitter instanceof HTMLButtonElement && submitter.value === "deny";
    if (!seen && !denies) event.preventDefault();
  }
  return (
    <Form method="post" reloadDocument onSubmit={onSubmit} className="flex flex-wrap gap-3">
      <Submit
        name="decision"
        value="allow"
        aria-disabled={!seen || undefined}
        aria-describedby={seen ? undefined : "not-yet"}
        className="grow"
      >
        {words.connectApp}
      </Submit>
      <Button type="submit" name="decision" value="deny" className="grow">
        {common.cancel}
      </Button>
      {/* One in the place of the other, so that nothing moves. */}
      <div className="grid basis-full text-sm text-muted *:[grid-area:1/1]">
        <p id="not-yet" className={seen ? "invisible" : ""}>
          {words.connectNotYet}
        </p>
        <p className={seen ? "" : "invisible"}>{words.appDisconnectAnytime}</p>
      </div>
    </Form>
  );
}

function CodeToCopy({ name, code }: { name: string; code: string }) {
  return (
    <PostcardCard
      alone
      title={words.copyCode}
      line={
        <p className="wrap-anywhere">
          {rich(words.copyCodeText, { name: <bdi className="font-semibold">{name}</bdi> })}
        </p>
      }
    >
      <p className="rounded-field bg-base-200 px-4 py-3 font-medium wrap-anywhere select-all">
        <code>{code}</code>
      </p>
    </PostcardCard>
  );
}
