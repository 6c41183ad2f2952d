/** An email inside a sentence: unbroken, and in its own direction. */
export function EmailAddress({ children }: { children: string }) {
  return (
    <span dir="ltr" className="font-medium wrap-anywhere">
      {children}
    </span>
  );
}
