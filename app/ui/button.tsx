import type { ComponentProps } from "react";
import { Spinner } from "#app/ui/spinner.tsx";
import { Link } from "#app/ui/link.tsx";

type Look = "primary" | "accent" | "outline" | "quiet" | "danger" | "delete";

const looks: Record<Look, string> = {
  primary: "btn btn-primary",
  accent: "btn btn-outline btn-primary",
  outline: "btn btn-outline border-line",
  quiet: "btn btn-ghost",
  danger: "btn btn-ghost text-danger",
  delete: "btn btn-error",
};

type ButtonProps = ComponentProps<"button"> & {
  look?: Look;
  /** While its action is running: it shows that, keeps its size and takes no second press. */
  pending?: boolean;
};

export function Button({
  look = "outline",
  pending = false,
  type = "button",
  className = "",
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type
      type={type}
      className={`${looks[look]} ${className}`}
      aria-busy={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  );
}

/** The button a form is for. */
export function Submit(props: Omit<ButtonProps, "type" | "look">) {
  return <Button {...props} type="submit" look="primary" />;
}

type ButtonLinkProps = ComponentProps<typeof Link> & { look?: Look };

/** A link that looks like a button. */
export function ButtonLink({ look = "outline", className = "", ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={`${looks[look]} ${className}`} />;
}

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & { label: string };

/** 44 × 44 px, only an icon; `label` is its accessible name. */
export function IconButton({ label, type = "button", className = "", ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type
      type={type}
      aria-label={label}
      title={label}
      className={`grid size-11 shrink-0 place-items-center rounded-full hover:bg-base-200 ${className}`}
    />
  );
}
