import { LoaderCircle } from "lucide-react";

export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="grid place-items-center text-accent">
      <LoaderCircle aria-hidden className="size-5 animate-spin motion-reduce:animate-pulse" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
