import type { Label } from "@tapthru/proto/http/labels";
import { messages } from "@tapthru/proto/rules/messages";
import { LabelChip } from "./label-chip.tsx";

interface LabelChipsProps {
  labels: readonly Label[];
  /** How many are shown; the others are counted, and read out by screen readers. */
  limit?: number;
}

export function LabelChips({ labels, limit = labels.length }: LabelChipsProps) {
  if (labels.length === 0) return null;
  const hidden = labels.slice(limit);
  const hiddenNames = hidden.map(({ name }) => name).join(", ");
  return (
    <>
      <span className="sr-only">{messages.labels} </span>
      {labels.slice(0, limit).map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
      {hidden.length > 0 && (
        <span title={hiddenNames} className="text-xs font-medium">
          <span aria-hidden>{messages.moreLabels(hidden.length)}</span>
          <span className="sr-only">{hiddenNames}</span>
        </span>
      )}
    </>
  );
}
