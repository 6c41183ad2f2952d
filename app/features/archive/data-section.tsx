import { useId, type ReactNode } from "react";

type Props = {
  title: string;
  /** what it is for, in a sentence or two */
  about: ReactNode;
  children: ReactNode;
};

/** One subject of the data screen. */
export function DataSection({ title, about, children }: Props) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="mx-4 grid gap-4 rounded-box border border-line bg-base-100 p-4 md:mx-0"
    >
      <div className="grid gap-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="text-sm text-pretty text-muted">{about}</p>
      </div>
      {children}
    </section>
  );
}
