import { useEffect, useRef } from "react";
import { LoadingFailed } from "../../../components/ui/empty-state.tsx";
import { usePageTitle } from "../../../lib/use-page-title.ts";

interface DetailsErrorProps {
  /** The link was displayed before, and no longer exists. */
  isDeleted: boolean;
  onReturn: () => void;
}

export function DetailsError({ isDeleted, onReturn }: DetailsErrorProps) {
  const message = isDeleted ? "This link was deleted." : "Error loading link details. Please try again.";
  usePageTitle(isDeleted ? "Link deleted" : message);
  const heading = useRef<HTMLHeadingElement>(null);
  // The control that had the focus is gone.
  useEffect(() => {
    if (isDeleted) heading.current?.focus();
  }, [isDeleted]);
  return (
    <LoadingFailed
      message={
        <h1 ref={heading} tabIndex={-1} className="outline-none">
          {message}
        </h1>
      }
      action="Return to Dashboard"
      onAction={onReturn}
    />
  );
}

const BAR = "rounded-full bg-sunken motion-safe:animate-pulse";

/** A placeholder for a link's details. It appears after a delay, so that a fast response does not flicker. */
export function DetailsSkeleton() {
  usePageTitle("Loading...");
  return (
    <div data-loading className="animate-appear-late">
      <div role="status" className="sr-only">
        <h1>Loading...</h1>
      </div>
      <div className={`mt-3 h-7 w-3/5 ${BAR}`} />
      <div className={`mt-5 h-5 w-2/5 ${BAR}`} />
      <div className="my-5 h-14 rounded-xl bg-sunken motion-safe:animate-pulse" />
      <div className="flex flex-col gap-4">
        <div className="rounded-2xl border border-line bg-surface p-5 sm:p-6">
          <div className={`h-5 w-1/5 ${BAR}`} />
          <div className={`mt-6 h-5 w-4/5 ${BAR}`} />
          <div className="mt-6 h-56 rounded-2xl bg-sunken motion-safe:animate-pulse sm:h-64" />
        </div>
        <div className="rounded-2xl border border-line bg-surface p-5 sm:p-6">
          <div className={`h-5 w-1/4 ${BAR}`} />
          <div className={`mt-5 h-5 w-full ${BAR}`} />
        </div>
      </div>
    </div>
  );
}
