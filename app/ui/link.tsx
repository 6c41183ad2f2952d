import { useEffect, type ComponentProps, type MouseEvent } from "react";
import { useNavigate, type NavigateFunction, type NavigateOptions } from "react-router";

type Way = Pick<NavigateOptions, "replace" | "preventScrollReset" | "viewTransition">;
export type LinkProps = Omit<ComponentProps<"a">, "href"> &
  Way & {
    /** a path of ours */
    to: string;
    /** loads a document, as without scripts */
    reloadDocument?: boolean;
  };

/**
 * A link to a page of ours. The router's own asks for some twenty hooks each, and renders again whenever the
 * address changes: a page of posts has a hundred.
 */
export function Link({
  to,
  replace,
  preventScrollReset,
  viewTransition,
  reloadDocument = false,
  onClick,
  children,
  ...rest
}: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      // The router asks for the routes of such links before anybody presses them.
      data-discover="true"
      onClick={(event) => {
        onClick?.(event);
        if (!reloadDocument) follow(event, { replace, preventScrollReset, viewTransition });
      }}
    >
      {children}
    </a>
  );
}

let navigate: NavigateFunction | undefined;

/** Once, in what is around all pages: without it a link loads a document. */
export function useRouterForLinks(): void {
  const found = useNavigate();
  useEffect(() => {
    navigate = found;
  }, [found]);
}

function follow(event: MouseEvent<HTMLAnchorElement>, { replace, ...way }: Way): void {
  const { pathname, search, hash, href, target } = event.currentTarget;
  if (!navigate || event.defaultPrevented || !isPlainPress(event) || target) return;
  event.preventDefault();
  void navigate(pathname + search + hash, {
    ...way,
    // As browsers do: the same address is no new step.
    replace: replace ?? href === window.location.href,
  });
}

const isPlainPress = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);
