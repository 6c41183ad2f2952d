import type { ComponentProps } from "react";
import { Link } from "#app/ui/link.tsx";

/** A link within a text. */
export function TextLink(props: Omit<ComponentProps<typeof Link>, "className">) {
  return <Link {...props} className="link" />;
}

/** For a part of a sentence that leads somewhere. */
export const linkTo = (to: string) => (text: string) => <TextLink to={to}>{text}</TextLink>;
