import type { ReactNode } from "react";

type Props = {
  title: string;
  /** what it is for, in a sentence */
  about: ReactNode;
  children: ReactNode;
};

/** One subject of the security screen. */
export function SecuritySection({ title, about, children }: Props) {
  return (
    <section className="mx-4 rounded-box border border-line bg-base-100 md:mx-0">
      <div className="grid gap-1 p-4">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-pretty text-muted">{about}</p>
      </div>
      {children}
    </section>
  );
}
