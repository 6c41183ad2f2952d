import type { MouseEvent } from "react";
import { Link, useNavigate } from "react-router";
import { PageTitle } from "#app/ui/page-title.tsx";
import { XIcon } from "#app/ui/icons.ts";

type Props = {
  title: string;
  /** the way back, and where it leads when this page is the first of its history */
  leave: string;
  to: string;
};

/**
 * The title of a page one writes on. On a phone it is a bar that stays, replacing the product's header,
 * with the form's button at its end (`.send` in styles/phone.css).
 */
export function WritingBar({ title, leave, to }: Props) {
  const navigate = useNavigate();

  /** Back to where one came from, with its scroll position. */
  function goBack(event: MouseEvent): void {
    const { idx = 0 } = (window.history.state ?? {}) as { idx?: number };
    if (idx === 0) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <div className="writing-bar">
      <Link
        to={to}
        onClick={goBack}
        aria-label={leave}
        title={leave}
        className="grid size-11 place-items-center rounded-full hover:bg-base-200 md:hidden"
      >
        <XIcon className="size-6" aria-hidden />
      </Link>
      <PageTitle>{title}</PageTitle>
    </div>
  );
}
