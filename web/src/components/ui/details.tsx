import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, textLinkClass } from "./button.tsx";

interface DetailsProps {
  summary: string;
  openSummary: string;
  isOpen?: boolean;
  children: ReactNode;
}

export function Details({ summary, openSummary, isOpen = false, children }: DetailsProps) {
  return (
    <details open={isOpen} className="group max-w-full">
      <summary
        className={`flex w-fit cursor-pointer list-none items-center gap-1.5 py-2 text-md [&::-webkit-details-marker]:hidden ${textLinkClass}`}
      >
        <ChevronRight aria-hidden className="size-4 shrink-0 group-open:rotate-90" />
        <span className="group-open:hidden">{summary}</span>
        <span className="hidden group-open:inline">{openSummary}</span>
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}

/** Content that a button shows. It is rendered, and loaded, only then. */
export function ShowMore({ show, hide, children }: { show: string; hide: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? hide : show}
      </Button>
      {isOpen && children}
    </div>
  );
}
