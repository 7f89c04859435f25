import type { Label } from "@tapthru/proto/labels";
import type { LabelColour } from "@tapthru/proto/rules/labels";

const DOTS: Record<LabelColour, string> = {
  grey: "bg-label-grey",
  red: "bg-label-red",
  orange: "bg-label-orange",
  green: "bg-label-green",
  teal: "bg-label-teal",
  blue: "bg-label-blue",
  purple: "bg-label-purple",
  pink: "bg-label-pink",
};

export function LabelDot({ colour }: { colour: LabelColour }) {
  return <span aria-hidden className={`size-2.5 shrink-0 rounded-full forced-color-adjust-none ${DOTS[colour]}`} />;
}

function LabelChip({ label: { name, colour } }: { label: Label }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-2 py-px text-sm font-medium text-ink">
      <LabelDot colour={colour} />
      <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
    </span>
  );
}

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
      <span className="sr-only">Labels </span>
      {labels.slice(0, limit).map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
      {hidden.length > 0 && (
        <span title={hiddenNames} className="text-sm font-medium">
          <span aria-hidden>{`+${hidden.length}`}</span>
          <span className="sr-only">{hiddenNames}</span>
        </span>
      )}
    </>
  );
}
