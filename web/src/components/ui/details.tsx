import { ChevronRight } from "lucide-react";
import { type ReactNode, useContext } from "react";
import { ItemName } from "../../lib/item-name.ts";
import { textLinkClass } from "./button.tsx";

interface DetailsProps {
  summary: string;
  openSummary: string;
  isOpen?: boolean;
  children: ReactNode;
}

export function Details({ summary, openSummary, isOpen = false, children }: DetailsProps) {
  const item = useContext(ItemName);
  return (
    <details open={isOpen} className="group max-w-full">
      <summary
        className={`flex w-fit cursor-pointer list-none items-center gap-1.5 py-2 text-md [&::-webkit-details-marker]:hidden ${textLinkClass}`}
      >
        <ChevronRight aria-hidden className="size-4 shrink-0 group-open:rotate-90" />
        <span className="group-open:hidden">{summary}</span>
        <span className="hidden group-open:inline">{openSummary}</span>
        {item && <span className="sr-only">{item}</span>}
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
