import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";

/** Loads the next page when the end of the list is within this distance below the viewport. */
const ROOT_MARGIN = "0px 0px 1200px";

interface LoadMoreProps {
  /** Disables loading by scrolling. */
  paused: boolean;
  loading: boolean;
  failed: boolean;
  onLoad: () => void;
}

/** Loads the next page as the user scrolls near the end. The button works without scrolling. */
export function LoadMore({ paused, loading, failed, onLoad }: LoadMoreProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(onLoad);

  useEffect(() => {
    if (paused || !sentinel.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(),
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [paused]);

  return (
    <div ref={sentinel} className="mt-6 flex flex-col items-center gap-3">
      {failed && (
        <p role="alert" className="text-sm text-danger">
          {messages.errorLoadingMoreLinks}
        </p>
      )}
      <Button variant="quiet" aria-disabled={loading} onClick={() => !loading && onLoad()}>
        {loading ? messages.loadingMoreLinks : messages.showMoreLinks}
      </Button>
    </div>
  );
}
