import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";

/** How far below the screen the end of the list may be when the next page is asked for. */
const ROOT_MARGIN = "0px 0px 1200px";

interface LoadMoreProps {
  /** The end coming near loads nothing. */
  paused: boolean;
  loading: boolean;
  failed: boolean;
  onLoad: () => void;
}

/** Loads by itself when the end of the list comes near; the button is for all other ways to get there. */
export function LoadMore({ paused, loading, failed, onLoad }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(onLoad);

  useEffect(() => {
    if (paused || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(),
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [paused]);

  return (
    <div ref={end} className="mt-6 flex flex-col items-center gap-3">
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
