import * as words from "#messages/account.json";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  title: string;
  to: string;
  label: string;
  /** what to do now */
  text?: string;
};

/** Replaces a page whose link was used or expired: how to get another. */
export function ExpiredLink({ title, to, label, text = words.askForNewOne }: Props) {
  return (
    <PostcardCard title={title}>
      <p className="text-pretty">{fill(words.linkGone, { next: text })}</p>
      <ButtonLink to={to} look="primary" className="w-full">
        {label}
      </ButtonLink>
    </PostcardCard>
  );
}
