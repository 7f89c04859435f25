const CARDS = ["w-3/5", "w-2/5", "w-1/2", "w-1/3"];

/** A placeholder for a list. It appears after a delay, so that a fast response does not flicker. */
export function LinksSkeleton() {
  return (
    <div data-loading className="animate-appear-late">
      <p role="status" className="mb-4 text-sm text-muted">
        Loading your links...
      </p>
      <div aria-hidden className="flex flex-col gap-3">
        {CARDS.map((width) => (
          <div key={width} className="min-h-24 rounded-2xl border border-line bg-surface p-5">
            <div className={`h-4 rounded-full bg-sunken motion-safe:animate-pulse ${width}`} />
          </div>
        ))}
      </div>
    </div>
  );
}
