import { FoldedText } from "#app/features/posts/folded-text.tsx";

type Props = {
  text: string;
  /** where the whole post stands */
  to: string;
};

/** A caption that folds after three lines; of the column they hold about 200 characters. */
export function Caption({ text, to }: Props) {
  const long = text.length > 200 || text.split("\n").length > 3;
  return (
    <FoldedText
      text={text}
      to={to}
      more="caption"
      lines="max-h-[3lh] overflow-hidden"
      long={long}
      overlaid
    />
  );
}
