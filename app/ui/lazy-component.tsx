import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from "react";
import { unreachable } from "#messages/shell.json";
import { notify } from "#app/lib/toasts.ts";

/** Called when the code of a pressed element could not be loaded. */
export const notifyUnreachable = () => notify.error(unreachable);

/** The same for a component that is open until it says otherwise. */
export function notifyAndClose({ onClose }: { onClose: () => void }): void {
  notifyUnreachable();
  onClose();
}

/**
 * A component whose code loads when it is first shown. When offline, `missing` is called instead, and the
 * rest of the page is unaffected; the next time it is shown the code is requested again.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  missing: (props: Props) => void,
): (props: Props) => ReactNode {
  const current = lazily(load, missing);
  return function Piece(props) {
    const [Shown] = useState(current);
    return (
      <Suspense fallback={null}>
        <Shown {...props} />
      </Suspense>
    );
  };
}

/**
 * The same for a part of a page that has others below it: a navigation waits for its code, so that it pushes
 * nothing down later. Documents are rendered in one go, so the server loads it before the first.
 */
export function lazyContent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  missing: (props: Props) => void,
): (props: Props) => ReactNode {
  const current = lazily(load, missing);
  let Loaded: ComponentType<Props> | null = null;
  if (import.meta.env.SSR) {
    load().then(
      (component) => (Loaded = component),
      () => undefined,
    );
  }
  return function Content(props) {
    const [Shown] = useState(current);
    if (import.meta.env.SSR) return Loaded && <Loaded {...props} />;
    return <Shown {...props} />;
  };
}

/** Returns the component, and a new one after its code could not be loaded. */
function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  missing: (props: Props) => void,
): () => ComponentType<Props> {
  function Missing(props: Props) {
    const onMissing = useEffectEvent(() => {
      current = ask();
      missing(props);
    });
    useEffect(() => onMissing(), []);
    return null;
  }
  const ask = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => ({ default: await load().catch(() => Missing) }));
  let current = ask();
  return () => current as ComponentType<Props>;
}
