/** Replaces a part of the page whose code failed to load. @param what the part, as the subject of a sentence */
export function NotLoaded({ what }: { what: string }) {
  return (
    <div role="alert" className="card p-4 text-dense">
      <p className="mb-2">
        {what} could not be loaded. Check that the studio can be reached, then reload the page. Stored runs
        are kept.
      </p>
      <button type="button" className="btn btn-small" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}
