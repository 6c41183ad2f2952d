import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPath, useLocation, useMatches, useNavigate, useNavigation } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/offline.json";
import { isServerReachable } from "#app/features/offline/server-reachable.ts";
import { around } from "#app/lib/page/around-loaders.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { XIcon } from "#app/ui/icons.ts";
import { notifyUnreachable } from "#app/ui/lazy-component.tsx";

type Around = typeof around.run;
type Results = Awaited<ReturnType<Around>>;
type Missed = { path: string; offline: boolean };

/** For a request without an answer that the router still awaits: another navigation has replaced it. */
const never = new Promise<never>(() => undefined);

/**
 * A page that cannot be reached does not replace the one on the screen: that one stays as it is, with
 * whatever is typed in it, and says what happened.
 */
export function Unreached() {
  const [missed, setMissed] = useState<Missed | null>(null);
  const matches = useMatches();
  const here = useLocation();
  const navigation = useNavigation();
  const navigate = useNavigate();
  /** where this page is in the history, and the page one was going to */
  const position = useRef<{ key: string; step: unknown } | null>(null);
  const wanted = useRef<string | null>(null);
  /** The code of some screen could not be loaded: the router never loads it again, only a document does. */
  const broken = useRef(false);
  useEffect(() => {
    position.current = { key: here.key, step: stepNow() };
    wanted.current = null;
  }, [here.key]);

  const stay = useEffectEvent((path: string) => {
    const { onLine } = navigator;
    const pending = navigation.location;
    // With its #, which requests do not have.
    const whole =
      pending && createPath({ ...pending, hash: "" }) === path ? createPath(pending) : path;
    setMissed({ path: whole, offline: !onLine });
    const back = Number(position.current?.step) - Number(stepNow());
    if (back) return window.history.go(back);
    const { pathname, search, hash, state } = here;
    void navigate(
      { pathname, search, hash },
      { replace: true, state, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  });

  /** When a page cannot be read again, it shows what it showed, instead of an error. */
  const withShownData = useEffectEvent((results: Results): Results => {
    const shown = new Map(matches.map(({ id, loaderData }) => [id, loaderData]));
    const entries = Object.entries(results).map(([id, result]) =>
      isUnreached(result) && shown.has(id)
        ? ([id, { type: "data" as const, result: shown.get(id) }] as const)
        : ([id, result] as const),
    );
    return Object.fromEntries(entries);
  });

  const run = useEffectEvent<Around>(async (request, next) => {
    if (request.method !== "GET") return next();
    const path = pathOf(request.url);
    const isHere = path === createPath({ ...here, hash: "" });
    if (!isHere) wanted.current = path;
    if (!isHere && broken.current) {
      if (await isServerReachable()) openDocument(path);
      else stay(path);
      return never;
    }
    // The code of the current screen is loaded: wait for its own answer, such as that of a search.
    const isThisScreen = new URL(request.url).pathname === here.pathname;
    const results = await Promise.race([next(), ...(isThisScreen ? [] : [unlessAnswered()])]);
    const failed = results && Object.entries(results).filter(([, result]) => isUnreached(result));
    if (results && failed?.length === 0) {
      if (!isHere) setMissed(null);
      return results;
    }
    if (request.signal.aborted) return never;
    if (!isHere || !results) {
      stay(path);
      return never;
    }
    if (missed === null) notifyUnreachable();
    return withShownData(results);
  });

  /** Event of vite.config.ts: code, or the list of routes, did not load. A new version is opened. */
  const lose = useEffectEvent((event: CustomEvent<string | null>) => {
    const path = event.detail ?? wanted.current;
    if (path === null) return;
    event.preventDefault();
    if (event.detail === null) broken.current = true;
    void isServerReachable().then((there) => (there ? openDocument(path) : stay(path)));
  });

  useEffect(() => {
    const onUnreached = (event: Event) => lose(event as CustomEvent<string | null>);
    window.addEventListener("page-unreached", onUnreached);
    const before = around.run;
    around.run = (request, next) => run(request, next);
    return () => {
      window.removeEventListener("page-unreached", onUnreached);
      around.run = before;
    };
  }, []);

  if (!missed) return null;
  return (
    <MissedPage
      offline={missed.offline}
      pending={navigation.state !== "idle"}
      onAgain={() => void navigate(missed.path)}
      onClose={() => setMissed(null)}
    />
  );
}

type MissedProps = { offline: boolean; pending: boolean; onAgain: () => void; onClose: () => void };

function MissedPage({ offline, pending, onAgain, onClose }: MissedProps) {
  return (
    <div
      role="alert"
      className="fixed inset-x-4 top-16 z-60 mx-auto flex max-w-md items-center gap-1 rounded-box border border-line bg-base-100 py-1.5 ps-4 pe-1 text-sm shadow-lg motion-appear md:top-4 no-print"
    >
      <p className="min-w-0 grow">
        <strong className="block font-semibold">
          {offline ? words.youAreOffline : words.unreached}
        </strong>{" "}
        {words.notOpened}
      </p>
      <Button className="shrink-0 px-3" pending={pending} onClick={onAgain}>
        {common.tryAgain}
      </Button>
      <IconButton label={common.close} onClick={onClose}>
        <XIcon className="size-5" aria-hidden />
      </IconButton>
    </div>
  );
}

/** The browser's position in this visit's history; the router writes it. */
const stepNow = (): unknown => (window.history.state as { idx?: unknown } | null)?.idx;

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** How long requests of the same moment may take to fail as well, milliseconds. */
const graceMs = 250;

/** Resolves when the browser says that it is offline, and is right: code would be awaited forever. */
async function unlessAnswered(): Promise<null> {
  if (navigator.onLine || (await isServerReachable())) return never;
  await new Promise((resolve) => setTimeout(resolve, graceMs));
  return null;
}

/** What fetch throws where it gets no answer. */
function isUnreached({ type, result }: Results[string]): boolean {
  return (
    type === "error" && result instanceof TypeError && /fetch|load|network/i.test(result.message)
  );
}

function openDocument(path: string): void {
  if (path === pathOf(window.location.href)) window.location.reload();
  else window.location.assign(path);
}
