/** A placeholder for the result. It appears after a delay, so that a fast response does not flicker. */
export function ResultSkeleton() {
  return (
    <div
      aria-hidden
      className="flex animate-appear-late items-center gap-4 rounded-2xl border border-line bg-surface p-4 sm:p-5"
    >
      <div className="size-14 shrink-0 rounded-xl bg-sunken motion-safe:animate-pulse" />
      <div className="flex-1 space-y-2.5">
        <div className="h-3.5 w-3/5 rounded-full bg-sunken motion-safe:animate-pulse" />
        <div className="h-5 w-4/5 rounded-full bg-sunken motion-safe:animate-pulse" />
      </div>
    </div>
  );
}
