import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { type FormEvent, useState } from "react";
import { dayOf } from "../lib/dates.ts";
import { formatNumber } from "../lib/locale-formats.ts";
import { PERIODS, type Period, periodBounds, periodProblem } from "../lib/period.ts";
import { Button } from "./ui/button.tsx";
import { ChoiceBar } from "./ui/choice-bar.tsx";
import { Field } from "./ui/field.tsx";

interface PeriodChoiceProps {
  period: Period;
  /** By default all. */
  kinds?: readonly Period["kind"][];
  onChange: (period: Period) => void;
}

export function PeriodChoice({ period, kinds = PERIODS, onChange }: PeriodChoiceProps) {
  function choose(kind: Period["kind"]) {
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
        choices={kinds.map((kind) => [kind, messages.clickPeriods[kind]])}
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
          label={messages.firstDay}
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
          label={messages.lastDay}
          required
          max={today}
          value={days.to}
          onChange={({ target }) => setDays({ ...days, to: target.value })}
        />
      </div>
      <Button type="submit" variant="outline">
        {messages.showPeriod}
      </Button>
    </form>
  );
}

const ERRORS = {
  order: messages.invalidPeriod,
  length: messages.periodTooLong(formatNumber(CLICKS_MAX_DAYS)),
};
