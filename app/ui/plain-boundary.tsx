import { Component, type ReactNode } from "react";

/**
 * Shows `plain` in place of children that throw. React has no function for this: it needs a class. `plain`
 * must not depend on what it replaces.
 */
export class PlainBoundary extends Component<
  { plain: ReactNode; children: ReactNode },
  { broken: boolean }
> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.plain : this.props.children;
  }
}
