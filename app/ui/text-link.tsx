import type { ComponentProps } from "react";
import { Link } from "react-router";

/** A link within a text. */
export function TextLink(props: Omit<ComponentProps<typeof Link>, "className">) {
  return <Link {...props} className="link" />;
}

/** For a part of a sentence that leads somewhere; `target="_blank"` from a form that keeps what is typed. */
export const linkTo = (to: string, target?: "_blank") => (text: string) => (
  <TextLink to={to} target={target}>
    {text}
  </TextLink>
);
