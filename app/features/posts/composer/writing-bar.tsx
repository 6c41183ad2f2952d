import { goBack } from "#app/lib/page/go-back.ts";
import { Link } from "#app/ui/link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { XIcon } from "#app/ui/icons.ts";
import styles from "#app/styles/composer.css?url";

type Props = {
  title: string;
  /** the way back, and where it leads when this page is the first of its history */
  leave: string;
  to: string;
};

/**
 * The title of a page one writes on. On a phone it is a bar that stays, replacing the product's header,
 * with the form's button at its end (`.send` in styles/phone.css). It brings the style of the card below it.
 */
export function WritingBar({ title, leave, to }: Props) {
  return (
    <div className="writing-bar">
      <link rel="stylesheet" href={styles} precedence="page" />
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
