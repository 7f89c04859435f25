/** An error inside a dialog, above which a toast would not be visible. */
export function DialogError({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <p role="alert" className="mt-3 text-sm leading-5 font-medium text-danger">
      {children}
    </p>
  );
}
