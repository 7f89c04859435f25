import { messages } from "@tapthru/proto/rules/messages";

/** The id of the element that holds each page's content. */
export const CONTENT_ID = "content";

/** Moves the keyboard focus past the top bar. Visible only while focused; does not change the URL. */
export function SkipLink() {
  return (
    <a
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(CONTENT_ID)?.focus();
      }}
      className="fixed top-3 left-3 z-50 -translate-y-20 rounded-xl border border-line bg-surface px-4 py-2 font-medium shadow-card focus-visible:translate-y-0"
    >
      {messages.skipToContent}
    </a>
  );
}
