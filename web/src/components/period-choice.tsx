import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { useForm } from "react-hook-form";
import { dayOf } from "../lib/dates.ts";
import { formatNumber } from "../lib/locale-formats.ts";
import {
  COMPARED_WITH_BEFORE,
  type Comparison,
  comparedBounds,
  PERIODS,
  type Period,
  type PeriodBounds,
  periodBounds,
  periodProblem,
} from "../lib/period.ts";
import { Button } from "./ui/button.tsx";
import { Field } from "./ui/field.tsx";
import { HeadSelect } from "./ui/select-field.tsx";

const NAMES = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  month: "This month",
  "last-month": "Last month",
  custom: "Custom range",
} as const;

const COMPARISON_NAMES = [
  ["before", "Period before"],
  ["month", "Month before"],
  ["year", "Year before"],
  ["custom", "Chosen days"],
] as const;

interface PeriodChoiceProps {
  period: Period;
  compared: Comparison;
  kinds?: readonly Period["period"][];
  onChange: (change: Partial<Period & Comparison>) => void;
}

/** The days of bounds, at most until today. */
function lastDays({ from, to }: PeriodBounds): [first: string, last: string] {
  return [dayOf(from), dayOf(new Date(Math.min(to.getTime() - 1, Date.now())))];
}

export function PeriodChoice({ period: shown, compared, kinds = PERIODS, onChange }: PeriodChoiceProps) {
  function choose(period: Period["period"]) {
    if (period !== "custom") return onChange({ period, from: "", to: "" });
    // Starts with the days that are shown.
    const [from, to] = lastDays(periodBounds(shown, new Date()));
    onChange({ period, from, to });
  }

  function compare(against: Comparison["against"]) {
    if (against !== "custom") return onChange({ ...COMPARED_WITH_BEFORE, against });
    const [since, until] = lastDays(comparedBounds(shown, compared, new Date()));
    onChange({ against, since, until });
  }

  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <HeadSelect
        label="Period"
        value={shown.period}
        options={kinds.map((kind) => [kind, NAMES[kind]])}
        onSelect={choose}
      />
      {shown.period === "custom" && (
        <CustomPeriodForm
          key={`${shown.from} ${shown.to}`}
          from={shown.from}
          to={shown.to}
          onSubmit={(days) => onChange({ period: "custom", ...days })}
        />
      )}
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="text-sm text-muted">against</span>
        <HeadSelect label="Compared with" value={compared.against} options={COMPARISON_NAMES} onSelect={compare} />
      </div>
      {compared.against === "custom" && (
        <CustomPeriodForm
          key={`compared ${compared.since} ${compared.until}`}
          of=" to compare with"
          from={compared.since}
          to={compared.until}
          onSubmit={({ from, to }) => onChange({ since: from, until: to })}
        />
      )}
    </div>
  );
}

interface CustomPeriodFormProps {
  of?: string;
  from: string;
  to: string;
  onSubmit: (days: { from: string; to: string }) => void;
}

function CustomPeriodForm({ onSubmit, of = "", ...defaultValues }: CustomPeriodFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues });
  const day = { type: "date", required: true, max: dayOf(new Date()) } as const;
  const submit = handleSubmit((days) => {
    const problem = periodProblem(days.from, days.to);
    if (problem === null) onSubmit(days);
    else setError("from", { message: ERRORS[problem] });
  });

  return (
    <form onSubmit={submit} className="flex min-w-0 basis-full flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-36">
        <Field label={`First day${of}`} {...day} error={formState.errors.from?.message} {...register("from")} />
      </div>
      <div className="min-w-0 flex-1 basis-36">
        <Field label={`Last day${of}`} {...day} {...register("to")} />
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
