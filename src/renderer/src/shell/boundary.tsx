/** What happens to the page when a part of it can't be drawn? */
import { Component, type ReactNode } from 'react';

/** A part that fails shows the fallback and leaves the rest of the page standing. */
export class Boundary extends Component<{ fallback: ReactNode; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
