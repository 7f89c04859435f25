import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { useOpenForm } from "../../../components/ui/inline-form.tsx";

interface ProfileEntryProps {
  name: string;
  /** Null for a secret. */
  value: string | null;
  changeLabel: string;
  form: (close: () => void) => ReactNode;
}

/** A value with a button that opens a form below it. */
export function ProfileEntry({ name, value, changeLabel, form }: ProfileEntryProps) {
  const { isOpen, button, close } = useOpenForm();
  return (
    <div className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="text-sm text-muted">{name}</h3>
          <p className="wrap-anywhere">{value ?? <span aria-hidden>{HIDDEN}</span>}</p>
        </div>
        <Button variant="outline" aria-label={changeLabel} {...button}>
          {messages.change}
        </Button>
      </div>
      {isOpen && <div className="mt-4 motion-safe:animate-appear">{form(close)}</div>}
    </div>
  );
}

const HIDDEN = "••••••••";
