import * as words from "#messages/posts.json";
import { ExpandableText } from "#app/features/posts/expandable-text.tsx";

type Props = {
  text: string;
  language: string | null;
  mentions: readonly string[];
  /** address of the whole post */
  to: string;
};

/** A caption that folds after three lines; in the column they hold about 200 characters. */
export function Caption({ text, language, mentions, to }: Props) {
  const long = text.length > 200 || text.split("\n").length > 3;
  return (
    <ExpandableText
      text={text}
      language={language}
      mentions={mentions}
      to={to}
      more={words.moreOfCaption}
      lines="max-h-[3lh] overflow-hidden"
      long={long}
      overlaid
    />
  );
}
