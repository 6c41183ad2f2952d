import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { useHasInteracted } from "#app/lib/page/first-interaction.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * A component whose code loads after hydration: nobody waits for it. If it cannot be loaded, the page works
 * without it, and it loads when the connection is back. Hydration renders this again and nothing else of
 * the shell.
 */
export const whenHydrated = <Props extends object>(load: Load<Props>) =>
  componentWhen(useHydrated, load);

/** The same, after the first interaction: for what reacts to fingers, pointers and keys. */
export const whenInteracted = <Props extends object>(load: Load<Props>) =>
  componentWhen(useHasInteracted, load);

function componentWhen<Props extends object>(
  useTime: () => boolean,
  load: Load<Props>,
): (props: Props) => ReactNode {
  const Piece = lazy(async () => ({
    default: await load()
      .catch(async () => {
        await new Promise((online) => window.addEventListener("online", online, { once: true }));
        return load();
      })
      .catch((): ComponentType<Props> => () => null),
  })) as ComponentType<Props>;
  return function LatePiece(props) {
    return useTime() ? (
      <Suspense>
        <Piece {...props} />
      </Suspense>
    ) : null;
  };
}
