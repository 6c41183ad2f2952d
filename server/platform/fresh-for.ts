/**
 * Answers with what `ask` answered within so many milliseconds, or is about to answer; after a failure it is asked
 * again at once.
 */
export function freshFor<Answer>(ms: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { at: number; answer: Promise<Answer> } | null = null;
  return () => {
    if (known && performance.now() - known.at <= ms) return known.answer;
    const asked = { at: performance.now(), answer: ask() };
    known = asked;
    asked.answer.catch(() => {
      if (known === asked) known = null;
    });
    return asked.answer;
  };
}
