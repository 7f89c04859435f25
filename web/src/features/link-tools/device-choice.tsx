import { messages } from "@tapthru/proto/rules/messages";
import { useId } from "react";

const DEVICES = ["ios", "android", "desktop"] as const;
type Device = (typeof DEVICES)[number];

interface DeviceChoiceProps {
  value: Device;
  onChange: (device: Device) => void;
}

export function DeviceChoice({ value, onChange }: DeviceChoiceProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{messages.device}</legend>
      <div className="flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
        {DEVICES.map((device) => (
          <label
            key={device}
            className="flex-1 rounded-lg border border-transparent px-2 py-1.5 text-center text-md text-muted outline-accent has-checked:border-line-strong has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 forced-colors:has-checked:forced-color-adjust-none forced-colors:has-checked:bg-chosen forced-colors:has-checked:text-on-chosen"
          >
            <input
              type="radio"
              name={name}
              value={device}
              checked={device === value}
              onChange={() => onChange(device)}
              className="sr-only"
            />
            {messages.devices[device]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
