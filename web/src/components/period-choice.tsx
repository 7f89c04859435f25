import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { type FormEvent, useState } from "react";
import { dayOf } from "../lib/dates.ts";
import { formatNumber } from "../lib/locale-formats.ts";
import { PERIODS, type Period, periodBounds, periodProblem } from "../lib/period.ts";
import { Button } from "./ui/button.tsx";
import { ChoiceBar } from "./ui/choice-bar.tsx";
import { Field } from "./ui/field.tsx";

const NAMES = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  month: "This month",
  "last-month": "Last month",
  custom: "Custom range",
} as const;

interface PeriodChoiceProps {
  period: Period;
  /** By default all. */
  kinds?: readonly Period["period"][];
  onChange: (period: Period) => void;
}

export function PeriodChoice({ period: shown, kinds = PERIODS, onChange }: PeriodChoiceProps) {
  function choose(period: Period["period"]) {
    if (period !== "custom") return onChange({ period, from: "", to: "" });
    const now = new Date();
    const { from, to } = periodBounds(shown, now);
    // Starts with the days that are shown.
    onChange({ period, from: dayOf(from), to: dayOf(new Date(Math.min(to.getTime() - 1, now.getTime()))) });
  }

  return (
    <div className="flex flex-col gap-4">
      <ChoiceBar
        legend="Period"
        isLegendHidden
        choices={kinds.map((kind) => [kind, NAMES[kind]])}
        value={shown.period}
        onChange={choose}
      />
      {shown.period === "custom" && (
        <CustomPeriodForm
          key={`${shown.from} ${shown.to}`}
          from={shown.from}
          to={shown.to}
          onSubmit={(days) => onChange({ period: "custom", ...days })}
        />
      )}
    </div>
  );
}
interface CustomPeriodFormProps {
  from: string;
  to: string;
  onSubmit: (days: { from: string; to: string }) => void;
}

function CustomPeriodForm({ onSubmit, ...initial }: CustomPeriodFormProps) {
  const [days, setDays] = useState(initial);
  const [error, setError] = useState<string>();
  const today = dayOf(new Date());

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = periodProblem(days.from, days.to);
    setError(problem === null ? undefined : ERRORS[problem]);
    if (problem === null) onSubmit(days);
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-36">
        <Field
          type="date"
          label="First day"
          required
          max={today}
          value={days.from}
          error={error}
          onChange={({ target }) => setDays({ ...days, from: target.value })}
        />
      </div>
      <div className="min-w-0 flex-1 basis-36">
        <Field
          type="date"
          label="Last day"
          required
          max={today}
          value={days.to}
          onChange={({ target }) => setDays({ ...days, to: target.value })}
        />
      </div>
      <Button type="submit" variant="outline">
        Show
      </Button>
    </form>
  );
}

const ERRORS = {
  order: "The first day must not be after the last one.",
  length: `Please choose at most ${formatNumber(CLICKS_MAX_DAYS)} days.`,
};
