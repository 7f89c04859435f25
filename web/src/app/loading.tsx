import { usePageTitle } from "../lib/use-page-title.ts";

/** A placeholder while a page loads. It appears after a delay, so that a fast response does not flicker. */
export function Loading({ text }: { text: string }) {
  usePageTitle(text);
  return (
    <div
      role="status"
      data-loading
      className="flex flex-1 animate-appear-late items-center justify-center p-6 text-muted"
    >
      <h1>{text}</h1>
    </div>
  );
}
