import { messages } from "@tapthru/proto/rules/messages";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";

const DEVICES = ["ios", "android", "desktop"] as const;
type Device = (typeof DEVICES)[number];

interface DeviceChoiceProps {
  value: Device;
  onChange: (device: Device) => void;
}

export function DeviceChoice({ value, onChange }: DeviceChoiceProps) {
  return (
    <ChoiceBar
      legend={messages.device}
      choices={DEVICES.map((device) => [device, messages.devices[device]])}
      value={value}
      onChange={onChange}
    />
  );
}
