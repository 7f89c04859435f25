import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to a place if a change of what it contains removed the control that had it.
 * @param content undefined while it is loading
 */
export function useFocusAfterChange(
  content: string | number | undefined,
  place: RefObject<HTMLElement | null>,
  preventScroll = true,
): void {
  const before = useRef(content);
  useEffect(() => {
    const isChanged = before.current !== undefined && content !== before.current;
    if (isChanged && document.activeElement === document.body) place.current?.focus({ preventScroll });
    before.current = content;
  }, [content, place, preventScroll]);
}
