import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { useHydrated } from "#app/lib/page/hydrated.ts";

/**
 * A piece whose code comes when the page is alive: nobody waits for it. Where it cannot be loaded, the
 * page is whole without it. That the page is alive draws this again and nothing else of the shell.
 */
export function whenAlive<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Piece = lazy(async () => ({
    default: await load().catch((): ComponentType<Props> => () => null),
  })) as ComponentType<Props>;
  return function WhenAlive(props) {
    return useHydrated() ? (
      <Suspense>
        <Piece {...props} />
      </Suspense>
    ) : null;
  };
}
