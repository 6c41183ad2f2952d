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
import { unreachableMessage } from "#app/lib/error-messages.ts";
import { notify } from "#app/lib/toasts.ts";

/** Called when the code of a pressed element could not be loaded. */
export const notifyUnreachable = () => notify.error(unreachableMessage);

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
  function Missing(props: Props) {
    const onMissing = useEffectEvent(() => missing(props));
    useEffect(() => onMissing(), []);
    return null;
  }
  const ask = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch {
        current = ask();
        return { default: Missing };
      }
    });
  let current = ask();
  return function Piece(props) {
    const [Shown] = useState<ComponentType<Props>>(() => current as ComponentType<Props>);
    return (
      <Suspense fallback={null}>
        <Shown {...props} />
      </Suspense>
    );
  };
}
