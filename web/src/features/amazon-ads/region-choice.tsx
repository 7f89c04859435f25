import { ADS_REGIONS, type AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { messages } from "@tapthru/proto/rules/messages";
import { RadioList } from "../../components/ui/radio-list.tsx";

interface RegionChoiceProps {
  value: AdsRegion;
  onChange: (region: AdsRegion) => void;
}

const CHOICES = ADS_REGIONS.map((value) => {
  const { name, countries } = messages.adsRegions[value];
  return { value, name, text: countries };
});

/** Amazon's advertising regions are separate: an account is connected in one of them. */
export function RegionChoice({ value, onChange }: RegionChoiceProps) {
  return (
    <RadioList
      legend={messages.adsRegionQuestion}
      choices={CHOICES}
      value={value}
      onChange={onChange}
    />
  );
}
