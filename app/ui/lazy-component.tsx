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

/** Told where the code of something that was pressed could not be fetched. */
export const notifyUnreachable = () => notify.error(unreachableMessage);

/** The same for a piece that is open until it says otherwise. */
export function notifyAndClose({ onClose }: { onClose: () => void }): void {
  notifyUnreachable();
  onClose();
}

/**
 * A piece whose code comes when it is first shown. Where the line is away `missing` is called in its
 * place, and the rest of the page stands as it stood; what is shown next asks for the code anew.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  missing: (props: Props) => void,
): (props: Props) => ReactNode {
  function Missing(props: Props) {
    const tell = useEffectEvent(() => missing(props));
    useEffect(() => tell(), []);
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
