import { messages } from "@tapthru/proto/rules/messages";
import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../components/ui/button.tsx";

/** Replaces the form after sending, and takes the focus. */
export function ReportSent({ onAgain }: { onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <CircleCheck aria-hidden className="size-8 text-accent" />
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold tracking-tight outline-none">
        {messages.reportSent}
      </h2>
      <p className="leading-6 text-pretty text-muted">{messages.reportSentText}</p>
      <Button variant="outline" onClick={onAgain}>
        {messages.reportAnother}
      </Button>
    </div>
  );
}
