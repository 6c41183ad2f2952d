import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  title: string;
  to: string;
  label: string;
  /** what to do now */
  text?: string;
};

/** Replaces a page whose link was used or expired: how to get another. */
export function ExpiredLink({ title, to, label, text = "Ask for a new one." }: Props) {
  return (
    <PostcardCard title={title}>
      <p className="text-pretty">
        This link was already used, has expired, or is incomplete. {text}
      </p>
      <ButtonLink to={to} look="primary" className="w-full">
        {label}
      </ButtonLink>
    </PostcardCard>
  );
}
