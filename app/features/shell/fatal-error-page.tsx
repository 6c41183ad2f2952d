import * as words from "#messages/shell.json";

/** Where even the error page could not be shown: no router, nothing of the shell. Browser only. */
export function FatalErrorPage() {
  const { pathname, search } = window.location;
  return (
    <main className="mx-auto flex max-w-sm flex-col items-center gap-5 px-6 py-16 text-center">
      <h1 className="text-xl font-semibold">{words.heldUp}</h1>
      <p className="text-muted">{words.unexpected}</p>
      <p className="flex gap-3">
        <a href={pathname + search} className="btn btn-primary">
          {words.tryAgain}
        </a>
        <a href="/" className="btn btn-outline border-line">
          {words.goHome}
        </a>
      </p>
    </main>
  );
}
