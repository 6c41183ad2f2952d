import { FoldedText } from "#app/features/posts/folded-text.tsx";

type Props = {
  text: string;
  mentions: readonly string[];
  /** where the whole post stands */
  to: string;
  /** the post's own page shows all of it */
  whole?: boolean;
};

/** A text post: written large on paper, like the back of a postcard. */
export function TextPost({ text, mentions, to, whole = false }: Props) {
  const { size, lines } = lettering(text);
  const long = text.length > 700;
  return (
    <div className="px-4 pt-1 pb-3">
      <FoldedText {...{ text, mentions, to, whole, long, lines }} more="text" className={size} />
    </div>
  );
}

/** Few words are written large, many smaller; what is longer than a card folds. */
function lettering(text: string): { size: string; lines: string } {
  if (text.length <= 90) return { size: "text-3xl/snug", lines: "line-clamp-10" };
  if (text.length <= 280) return { size: "text-2xl/snug", lines: "line-clamp-12" };
  return { size: "text-lg/relaxed", lines: "line-clamp-12" };
}
