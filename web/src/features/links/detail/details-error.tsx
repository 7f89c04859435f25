import { useEffect, useRef } from "react";
import { LoadingFailed } from "../../../components/ui/empty-state.tsx";
import { unlessOffline } from "../../../lib/http/http-client.ts";
import { usePageTitle } from "../../../lib/use-page-title.ts";

interface DetailsErrorProps {
  /** The link was displayed before, and no longer exists. */
  isDeleted: boolean;
  onReturn: () => void;
}

export function DetailsError({ isDeleted, onReturn }: DetailsErrorProps) {
  const message = isDeleted ? "This link was deleted." : unlessOffline("Error loading link details. Please try again.");
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

/** A placeholder for a link's details. It appears after a delay, so that a fast response does not flicker. */
export function DetailsSkeleton() {
  usePageTitle("Loading...");
  return (
    <div data-loading className="animate-appear-late">
      <div role="status" className="sr-only">
        <h1>Loading...</h1>
      </div>
      <div className="mt-3 h-7 w-3/5 rounded-full bg-sunken motion-safe:animate-pulse" />
      <div className="mt-5 h-5 w-2/5 rounded-full bg-sunken motion-safe:animate-pulse" />
      {["h-14", "h-96", "h-40"].map((height) => (
        <div key={height} className={`mt-5 rounded-2xl bg-sunken motion-safe:animate-pulse ${height}`} />
      ))}
    </div>
  );
}
