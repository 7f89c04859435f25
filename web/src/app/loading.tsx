/** Appears late, so that a quick answer does not flicker. */
export function Loading({ text }: { text: string }) {
  return (
    <p
      role="status"
      className="flex flex-1 animate-appear-late items-center justify-center p-6 text-muted"
    >
      {text}
    </p>
  );
}
