import { messages } from "@tapthru/proto/rules/messages";
import type { RefObject } from "react";

/** The id of the element that holds each page's content. */
export const CONTENT_ID = "content";

/** Moves the keyboard focus past the top bar. Visible only while focused; does not change the URL. */
export function SkipLink({ to }: { to: RefObject<HTMLElement | null> }) {
  return (
    <a
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        event.preventDefault();
        to.current?.focus();
      }}
      className="fixed top-3 left-3 z-50 -translate-y-20 rounded-xl border border-line bg-surface px-4 py-2 font-medium shadow-card focus-visible:translate-y-0"
    >
      {messages.skipToContent}
    </a>
  );
}
