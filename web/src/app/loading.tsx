/** A page whose content is on the way; it appears late, so that a quick answer does not flicker. */
export function Loading({ text }: { text: string }) {
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
