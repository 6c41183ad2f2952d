import { Component, type ReactNode } from "react";

/**
 * Shows `plain` in place of what throws. React offers no function for this: it asks a class. What
 * is plain must need nothing of what it stands for.
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
