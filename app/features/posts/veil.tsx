import type { ReactNode } from "react";
import type { Veiling } from "#app/features/posts/veiled.tsx";
import { lazyComponent } from "#app/ui/lazy-component.tsx";

/** Few pages have any. Without its code nothing is shown of what it hides. */
const Veiled = lazyComponent(
  async () => (await import("#app/features/posts/veiled.tsx")).Veiled,
  () => undefined,
);

/** A part of a post: as it is, or behind its author's warning until somebody asks to see it. */
export const Veil = (props: Veiling): ReactNode =>
  props.post.sensitive ? <Veiled {...props} /> : props.children;
