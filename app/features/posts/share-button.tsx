import { share as label } from "#messages/common.json";
import { ShareFatIcon } from "#app/ui/icons.ts";
import { notifyUnreachable } from "#app/ui/lazy-component.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

type Props = {
  /** the page of ours to share */
  path: string;
  /** its title in the device's share sheet */
  title: string;
  className?: string;
};

/** Shares the address of a page. Without scripts it is a link there, where the browser shows the address. */
export function ShareButton({ path, title, className = "" }: Props) {
  async function press(button: HTMLElement): Promise<void> {
    const { pathOfShown, share } = await import("#app/features/posts/share.ts");
    await share({ path: pathOfShown(path, button.closest("article")), title });
  }
  return (
    <LinkButton
      href={path}
      onPress={(button) => void press(button).catch(notifyUnreachable)}
      aria-label={label}
      title={label}
      className={`grid size-11 shrink-0 place-items-center rounded-full hover:bg-base-content/8 ${className}`}
    >
      <ShareFatIcon className="size-6.5 rtl:-scale-x-100" aria-hidden />
    </LinkButton>
  );
}
