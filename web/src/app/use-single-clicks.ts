import { useEffect } from "react";

/** The second click of a double one on a link would be another step, for which one has to go back twice. */
export function useSingleClicks(): void {
  useEffect(() => {
    document.addEventListener("click", ignoreSecondClick, { capture: true });
    return () => document.removeEventListener("click", ignoreSecondClick, { capture: true });
  }, []);
}

function ignoreSecondClick(event: MouseEvent): void {
  const isLink = event.target instanceof Element && event.target.closest("a") !== null;
  if (!isLink || event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}
