import * as words from "#messages/account.json";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { CardLink } from "#app/features/identity/card-form.tsx";

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
      <CardLink to={to}>{label}</CardLink>
    </PostcardCard>
  );
}
