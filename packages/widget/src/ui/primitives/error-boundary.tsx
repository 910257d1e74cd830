import { Component } from "react";
import type { ReactNode } from "react";

interface Props {
  /** Hears of each error once. */
  readonly onError: (error: unknown) => void;
  /** What stands in the place of what broke. `retry` tries to show it again. */
  readonly fallback: (error: Error, retry: () => void) => ReactNode;
  /** When this changes, what broke is tried again. */
  readonly resetKey?: unknown;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | undefined;
  readonly resetKey: unknown;
}

/** Keeps an error in what it holds from taking the rest of the view with it. */
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
