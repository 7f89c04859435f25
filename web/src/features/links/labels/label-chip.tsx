import type { Label } from "@tapthru/proto/http/labels";
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
  return (
    <span
      aria-hidden
      className={`size-2.5 shrink-0 rounded-full forced-color-adjust-none ${DOTS[colour]}`}
    />
  );
}

/** The name of a label, with a dot in its colour. */
export function LabelChip({ label: { name, colour } }: { label: Label }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-2 py-px text-xs font-medium text-ink">
      <LabelDot colour={colour} />
      <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
    </span>
  );
}
