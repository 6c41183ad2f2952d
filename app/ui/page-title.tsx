import type { ReactNode } from "react";
import { documentTitle } from "#app/lib/page/document-title.ts";

/** The one h1 of a page. */
export function PageTitle({ children, hidden = false }: { children: ReactNode; hidden?: boolean }) {
  return (
    <h1 className={hidden ? "sr-only" : "px-4 pt-5 pb-3 text-xl font-semibold md:px-0 md:pt-0"}>
      {children}
    </h1>
  );
}

type Props = { children: string; title?: string } | { children: ReactNode; title: string };

/** The one h1 of a page, and its document's title, which is the same unless `title` is given. */
export function ScreenTitle({ children, title = String(children) }: Props) {
  return (
    <>
      <title>{documentTitle(title)}</title>
      <PageTitle>{children}</PageTitle>
    </>
  );
}
