/** A short status label beside an item. */
export function Badge({ children }: { children: string }) {
  return (
    <span className="shrink-0 rounded-full bg-notice px-2 py-0.5 text-xs font-medium text-notice-ink">
      {children}
    </span>
  );
}
