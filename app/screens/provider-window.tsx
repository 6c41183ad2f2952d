import { renderToStaticMarkup } from "react-dom/server";
import { popupChannel } from "#shared/providers.ts";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import * as words from "#messages/account.json";
import { signIn } from "#messages/identity.json";
import { direction, tag } from "#messages/language.json";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";
import { problemIn } from "#app/lib/provider-paths.ts";
import { Stamp } from "#app/ui/stamp.tsx";
import styles from "#app/styles/app.css?url";
import type { Route } from "./+types/provider-window";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The popup's last page: notifies the page that waits for it, which then asks for the result, and closes
 * itself. It contains nothing secret, and needs only its own few lines to run.
 */
export function loader({ request, context }: Route.LoaderArgs) {
  const { nonce, theme } = context.get(appContext);
  const attempt = new URL(request.url).searchParams.get("attempt") ?? "";
  const sentence = problemIn(request.url, inLanguage);
  const page = renderToStaticMarkup(
    <html lang={tag} dir={direction === "rtl" ? "rtl" : undefined} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{documentTitle(signIn)}</title>
        <link rel="stylesheet" href={styles} />
      </head>
      <body className="bg-ground text-center text-base-content">
        <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-4">
          <Stamp marked={!sentence} className="w-20 overflow-visible" />
          <h1 className="text-xl font-semibold">{sentence ? words.didNotWork : words.allDone}</h1>
          <p role={sentence ? "alert" : undefined} className="text-pretty text-muted">
            {sentence ?? words.closeWindow}
          </p>
          {/* For somebody who opened this address in another window, which does not close. */}
          <a href={sentence ? "/signIn" : "/"} className="btn border-line btn-outline">
            {sentence ? words.goToSignIn : words.goToPostcard}
          </a>
        </main>
        {uuid.test(attempt) ? (
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: report(attempt) }} />
        ) : null}
      </body>
    </html>,
  );
  return new Response(`<!DOCTYPE html>${page}`, {
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
}

/** Closes a moment later, so that the message is sent. */
function report(attempt: string): string {
  return (
    `new BroadcastChannel(${JSON.stringify(popupChannel)}).postMessage(${JSON.stringify(attempt)});` +
    `setTimeout(() => window.close(), 100);`
  );
}
