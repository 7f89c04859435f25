import { ADS_REGIONS, type AdsRegion } from "@tapthru/proto/rules/ads-regions";
import { messages } from "@tapthru/proto/rules/messages";

interface RegionChoiceProps {
  value: AdsRegion;
  onChange: (region: AdsRegion) => void;
}

/** Amazon keeps the advertising of each part of the world apart. */
export function RegionChoice({ value, onChange }: RegionChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-2 text-[0.9375rem] font-medium">{messages.adsRegionQuestion}</legend>
      {ADS_REGIONS.map((region) => (
        <label
          key={region}
          className="flex items-start gap-3 rounded-xl px-3 py-2.5 has-checked:bg-sunken hover:bg-sunken"
        >
          <input
            type="radio"
            name="region"
            value={region}
            checked={region === value}
            onChange={() => onChange(region)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            {messages.adsRegions[region].name}
            <span className="block text-sm text-muted">
              {messages.adsRegions[region].countries}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
