// An error in one room does not affect the rest of the page: each route has its own boundary, and training continues.
import { Component, type ReactNode } from "react";
import { forgetFailedRooms, isLoadFailure } from "../lib/room.tsx";

interface Props {
  children: ReactNode;
  /** Changes with the route, which is a fresh start. */
  resetKey: string;
  /** Reloading the page would end the run. */
  isTraining: boolean;
  /** Replaces the draft, in case it is what the view cannot show. */
  onResetDraft: () => Promise<void>;
}

export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(previous: Props) {
    if (previous.resetKey !== this.props.resetKey && this.state.error) this.retry();
  }

  retry = () => {
    forgetFailedRooms();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const { isTraining, onResetDraft } = this.props;
    const reset = () => void onResetDraft().then(this.retry);
    return <ErrorView error={error} isTraining={isTraining} onRetry={this.retry} onResetDraft={reset} />;
  }
}

export function ErrorView({
  error,
  isTraining,
  onRetry,
  onResetDraft,
}: {
  error: Error;
  isTraining: boolean;
  onRetry: () => void;
  onResetDraft: () => void;
}) {
  const notLoaded = isLoadFailure(error);
  return (
    <div className="mx-auto max-w-[72ch] p-6" role="alert">
      <h1 className="mb-2 text-h2 font-semibold">
        {notLoaded ? "This view could not be loaded" : "This view stopped working"}
      </h1>
      <p className="mb-4">
        {isTraining && "Training continues in its own worker. "}
        {notLoaded
          ? "Check that the studio can be reached, then try again."
          : "Try the view again. If it stops again, the configuration may be the cause: reset it to the first preset."}
        {!isTraining && " Reloading the page helps too; stored runs are kept."}
      </p>
      <div className="mb-4 flex flex-wrap gap-2">
        <button type="button" className="btn btn-primary" onClick={onRetry}>
          Try again
        </button>
        {!notLoaded && (
          <button type="button" className="btn" onClick={onResetDraft}>
            Reset the configuration
          </button>
        )}
        {!isTraining && (
          <button type="button" className="btn" onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
      </div>
      <details className="card p-3 text-dense">
        <summary>Technical details</summary>
        <pre className="mt-2 overflow-auto whitespace-pre-wrap">{error.stack ?? error.message}</pre>
      </details>
    </div>
  );
}
