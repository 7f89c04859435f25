import { LabelDot } from "./label-chip.tsx";
import type { LabelChoice } from "./label-choices.ts";

interface LabelCheckboxProps {
  choice: LabelChoice;
  onChange: (isOn: boolean) => void;
}

/** A checkbox with the name of a label. It is mixed if some of the links have the label. */
export function LabelCheckbox({ choice: { name, colour, isOn }, onChange }: LabelCheckboxProps) {
  return (
    <li>
      <label className="flex min-h-11 items-center gap-3 rounded-xl px-2 hover:bg-sunken">
        <input
          ref={(input) => {
            if (input) input.indeterminate = isOn === null;
          }}
          type="checkbox"
          checked={isOn === true}
          onChange={({ target }) => onChange(target.checked)}
          className="size-5 shrink-0 accent-accent"
        />
        {colour && <LabelDot colour={colour} />}
        <bdi className="min-w-0 py-1.5 wrap-anywhere">{name}</bdi>
      </label>
    </li>
  );
}
