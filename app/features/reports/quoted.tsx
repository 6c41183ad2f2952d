/** Somebody's text as they wrote it, and their name. */
export function Quoted({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="text-sm text-muted">{label}</p>
      <p dir="auto" className="border-s-4 border-line ps-3 whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
    </div>
  );
}
