import { messages } from "@tapthru/proto/rules/messages";
import { useRef, useState } from "react";
import { useIsClamped } from "../../lib/use-is-clamped.ts";
import { textLinkClass } from "./button.tsx";

/** A page's heading with at most three lines. If it has more, a button shows them. */
export function ClampedHeading({ children: text }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isExpanded, setExpanded] = useState(false);
  const isClamped = useIsClamped(heading, text, isExpanded);
  return (
    <>
      <h1 ref={heading} dir="auto" className={`wrap-anywhere ${isExpanded ? "" : "line-clamp-3"}`}>
        {text}
      </h1>
      {isClamped && (
        <button
          type="button"
          onClick={() => setExpanded(!isExpanded)}
          className={`py-1.5 text-sm tracking-normal ${textLinkClass}`}
        >
          {isExpanded ? messages.showLess : messages.showMore}
        </button>
      )}
    </>
  );
}
