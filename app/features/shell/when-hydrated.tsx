import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { useHasInteracted } from "#app/lib/page/first-interaction.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * A piece whose code comes when the page is alive: nobody waits for it. Where it cannot be loaded, the
 * page is whole without it, and it comes when the line is back. That the page is alive draws this again and nothing else of the shell.
 */
export const whenHydrated = <Props extends object>(load: Load<Props>) =>
  pieceWhen(useHydrated, load);

/** The same, when the person has done something: for what answers to fingers, pointers and keys. */
export const whenInteracted = <Props extends object>(load: Load<Props>) =>
  pieceWhen(useHasInteracted, load);

function pieceWhen<Props extends object>(
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
