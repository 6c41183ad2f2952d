/** What went wrong with the whole form, where no toast can say it. */
export function FormAlert({ text }: { text: string }) {
  return (
    <p
      role="alert"
      className="rounded-field border border-s-4 border-danger px-3 py-2.5 text-sm font-medium text-danger"
    >
      {text}
    </p>
  );
}
