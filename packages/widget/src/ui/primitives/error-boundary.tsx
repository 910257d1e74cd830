import { Component } from "react";
import type { ReactNode } from "react";

interface Props {
  /** Called once for each error. */
  readonly onError: (error: unknown) => void;
  /** Rendered in place of the children that threw. `retry` renders the children again. */
  readonly fallback: (error: Error, retry: () => void) => ReactNode;
  /** When this changes, the children are rendered again. */
  readonly resetKey?: unknown;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | undefined;
  readonly resetKey: unknown;
}

/** Confines an error that its children throw while they render, so that the rest of the view stays. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return Object.is(props.resetKey, state.resetKey) ? null : { error: undefined, resetKey: props.resetKey };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(error, () => this.setState({ error: undefined })) : this.props.children;
  }
}
