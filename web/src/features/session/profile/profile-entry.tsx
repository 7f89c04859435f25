import { messages } from "@tapthru/proto/rules/messages";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";

interface ProfileEntryProps {
  name: string;
  /** Null for a secret. */
  value: string | null;
  changeLabel: string;
  form: (close: () => void) => ReactNode;
}

/** A value with a button that opens a form below it. Closing the form returns the focus to the button. */
export function ProfileEntry({ name, value, changeLabel, form }: ProfileEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    <div className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="text-sm text-muted">{name}</h3>
          <p className="wrap-anywhere">{value ?? <span aria-hidden>{HIDDEN}</span>}</p>
        </div>
        <Button
          ref={button}
          variant="outline"
          aria-label={changeLabel}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {messages.change}
        </Button>
      </div>
      {isOpen && <div className="mt-4 motion-safe:animate-appear">{form(close)}</div>}
    </div>
  );
}

const HIDDEN = "••••••••";
