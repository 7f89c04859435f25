import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { textLinkClass } from "./button.tsx";

/** A page's heading with at most three lines. If it has more, a button shows them. */
export function ClampedHeading({ children: text }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isExpanded, setExpanded] = useState(false);
  const isClamped = useIsClamped(heading, text, isExpanded);
  return (
    <>
      <h1
        ref={heading}
        dir="auto"
        className={`wrap-anywhere ${isExpanded ? "" : "line-clamp-3 print:line-clamp-none"}`}
      >
        {text}
      </h1>
      {isClamped && (
        <button
          type="button"
          onClick={() => setExpanded(!isExpanded)}
          className={`py-1.5 text-sm tracking-normal ${textLinkClass}`}
        >
          {isExpanded ? "Show less" : "Show more"}
        </button>
      )}
    </>
  );
}

/**
 * Whether an element with a line clamp hides at least half a line of its text.
 * @param isExpanded While the clamp is off, the last result is kept.
 */
function useIsClamped(element: RefObject<HTMLElement | null>, text: string, isExpanded: boolean): boolean {
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
