import { messages } from "@tapthru/proto/rules/messages";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { dayOf } from "../../lib/dates.ts";
import { type ClickPeriod, PERIODS, periodBounds } from "./click-period.ts";
import { CustomPeriodForm } from "./custom-period-form.tsx";

interface PeriodChoiceProps {
  period: ClickPeriod;
  onChange: (period: ClickPeriod) => void;
}

export function PeriodChoice({ period, onChange }: PeriodChoiceProps) {
  function choose(kind: ClickPeriod["kind"]) {
    if (kind !== "custom") return onChange({ kind });
    const now = new Date();
    // Starts with the days that are shown.
    onChange({ kind, from: dayOf(periodBounds(period, now).from), to: dayOf(now) });
  }

  return (
    <div className="flex flex-col gap-4">
      <ChoiceBar
        legend={messages.clickPeriod}
        isLegendHidden
        choices={PERIODS.map((kind) => [kind, messages.clickPeriods[kind]])}
        value={period.kind}
        onChange={choose}
      />
      {period.kind === "custom" && (
        <CustomPeriodForm
          key={`${period.from} ${period.to}`}
          from={period.from}
          to={period.to}
          onSubmit={(days) => onChange({ kind: "custom", ...days })}
        />
      )}
    </div>
  );
}
