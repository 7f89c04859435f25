import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { type FormEvent, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { dayOf } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { periodProblem } from "./click-period.ts";

interface CustomPeriodFormProps {
  from: string;
  to: string;
  onSubmit: (days: { from: string; to: string }) => void;
}

export function CustomPeriodForm({ onSubmit, ...initial }: CustomPeriodFormProps) {
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
