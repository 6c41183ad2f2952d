/** Does work again and again, for the first time once the start is over; returns how to stop. */
export function regularly(
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
  work: () => unknown,
): () => void {
  const first = setTimeout(work, firstMs).unref();
  const later = setInterval(work, everyMs).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
  };
}
