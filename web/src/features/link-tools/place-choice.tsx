import { messages } from "@tapthru/proto/rules/messages";
import { ChevronDown } from "lucide-react";
import { useId } from "react";

interface PlaceChoiceProps {
  names: readonly string[];
  value: string;
  onChange: (name: string) => void;
}

export function PlaceChoice({ names, value, onChange }: PlaceChoiceProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {messages.openedFrom}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="h-12 w-full appearance-none rounded-xl border border-line-strong bg-surface pr-11 pl-4 text-base focus-visible:border-accent focus-visible:-outline-offset-1"
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </div>
  );
}
