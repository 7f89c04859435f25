import { LoaderCircle } from "lucide-react";
import { buttonClass } from "./button.tsx";

interface SubmitButtonProps {
  children: string;
  pending: boolean;
}

/**
 * Submits its form. While pending, it keeps the focus and ignores clicks. Its spinner appears after a delay, so that
 * a fast response does not flicker, and is positioned so that the text does not move.
 */
export function SubmitButton({ children, pending }: SubmitButtonProps) {
  return (
    <button
      type="submit"
      aria-disabled={pending}
      aria-busy={pending}
      onClick={(event) => pending && event.preventDefault()}
      className={`${buttonClass()} relative w-full aria-disabled:cursor-default`}
    >
      {pending && (
        <span aria-hidden className="absolute left-4 animate-appear-late">
          <LoaderCircle className="size-5 animate-spin motion-reduce:animate-pulse" />
        </span>
      )}
      {children}
    </button>
  );
}
