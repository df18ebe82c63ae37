// A room that breaks must not take the house with it: each route has its own boundary, and training goes on.
import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  /** Changes when the person goes elsewhere, which is a fresh start. */
  resetKey: string;
}

export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(previous: Props) {
    if (previous.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="mx-auto max-w-[72ch] p-6" role="alert">
        <h1 className="mb-2 text-h2 font-semibold">This view stopped working</h1>
        <p className="mb-4">
          Training is not affected: it runs in a worker of its own. Try the view again; if it happens again,
          reload the page, and the run can be taken up from its last checkpoint.
        </p>
        <div className="mb-4 flex gap-2">
          <button type="button" className="btn btn-primary" onClick={() => this.setState({ error: null })}>
            Try again
          </button>
          <button type="button" className="btn" onClick={() => location.reload()}>
            Reload the page
          </button>
        </div>
        <details className="card p-3 text-dense">
          <summary>Technical details</summary>
          <pre className="mt-2 overflow-auto whitespace-pre-wrap">{error.stack ?? error.message}</pre>
        </details>
      </div>
    );
  }
}
