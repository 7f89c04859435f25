import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Whether an element with a line clamp hides at least half a line of its text.
 * @param isExpanded While the clamp is off, the last result is kept.
 */
export function useIsClamped(
  element: RefObject<HTMLElement | null>,
  text: string,
  isExpanded: boolean,
): boolean {
  const [isClamped, setClamped] = useState(false);

  useLayoutEffect(() => {
    const { current } = element;
    if (!current || isExpanded) return;
    const measure = () => {
      const { scrollHeight, clientHeight } = current;
      const lineHeight = Number.parseFloat(getComputedStyle(current).lineHeight);
      setClamped(scrollHeight - clientHeight > lineHeight / 2);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, text, isExpanded]);

  return isClamped;
}
