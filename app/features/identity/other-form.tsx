import { Link } from "#app/ui/link.tsx";

type Props = {
  /** the question to those who want the other form */
  question: string;
  to: string;
  /** what the other form does */
  label: string;
};

/** Below sign-in and sign-up: the way to the other one. */
export function OtherForm({ question, to, label }: Props) {
  return (
    <p className="-mt-3 text-center text-sm text-muted">
      {question}{" "}
      <Link
        to={to}
        className="link inline-flex min-h-11 items-center font-medium text-base-content"
      >
        {label}
      </Link>
    </p>
  );
}
