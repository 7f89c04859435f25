import { CLICKS_MAX_DAYS } from "@tapthru/proto/rules/limits";
import { X } from "lucide-react";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { dayOf, formatUtcDays } from "../lib/dates.ts";
import { useFocusAfterChange } from "../lib/focus.ts";
import { formatNumber } from "../lib/locale-formats.ts";
import { type Narrowing, PERIODS, type Period, periodBounds, periodProblem } from "../lib/period.ts";
import { Button } from "./ui/button.tsx";
import { Field } from "./ui/field.tsx";
import { HeadSelect } from "./ui/select.tsx";

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
  /** The days to which the page is narrowed: a chip ends that. */
  narrowed: Period | null;
  /** By default all. */
  kinds?: readonly Period["period"][];
  onChange: (change: Period & Narrowing) => void;
}

const WHOLE = { first: "", last: "" };

export function PeriodChoice({ period: shown, narrowed, kinds = PERIODS, onChange }: PeriodChoiceProps) {
  const place = useRef<HTMLDivElement>(null);
  useFocusAfterChange(String(narrowed === null), place);

  function choose(period: Period["period"]) {
    if (period !== "custom") return onChange({ period, from: "", to: "", ...WHOLE });
    const now = new Date();
    const { from, to } = periodBounds(shown, now);
    // Starts with the days that are shown.
    const last = dayOf(new Date(Math.min(to.getTime() - 1, now.getTime())));
    onChange({ period, from: dayOf(from), to: last, ...WHOLE });
  }

  return (
    <div ref={place} tabIndex={-1} className="flex min-w-0 flex-wrap items-center gap-2 outline-none">
      {narrowed && (
        <Button variant="quiet" onClick={() => onChange({ ...shown, ...WHOLE })}>
          {formatUtcDays(narrowed.from, narrowed.to)}
          <X aria-hidden className="size-4" />
          <span className="sr-only">Show the whole period</span>
        </Button>
      )}
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
          onSubmit={(days) => onChange({ period: "custom", ...days, ...WHOLE })}
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

function CustomPeriodForm({ onSubmit, ...defaultValues }: CustomPeriodFormProps) {
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
        <Field label="First day" {...day} error={formState.errors.from?.message} {...register("from")} />
      </div>
      <div className="min-w-0 flex-1 basis-36">
        <Field label="Last day" {...day} {...register("to")} />
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
