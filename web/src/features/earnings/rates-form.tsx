import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { EarningsRates } from "@tapthru/proto/earnings";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Details } from "../../components/ui/details.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form, FormError } from "../../components/ui/form.tsx";
import { useCallForm } from "../../kit/call-form.tsx";
import { usePermission } from "../../kit/can.tsx";
import { formatDays } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { earningsImportsOptions } from "./api.ts";

/**
 * The user's currency, and their rates. Nothing if they need none: all reports have one currency.
 * @param shown the currencies of the shown period
 */
export function Rates({ shown }: { shown: readonly string[] }) {
  const may = usePermission("PUT /api/earnings/rates");
  const { data } = useQuery(queryOf("GET /api/earnings/rates"));
  const { data: imports = [], isPending } = useInfiniteQuery(earningsImportsOptions);
  const stored = imports.filter(({ state }) => state === "stored");
  const reported = stored.flatMap(({ reports }) => reports.map(({ currency }) => currency));
  const currencies = [...new Set([...shown, ...reported])].sort();
  if (!may || !data || isPending || (currencies.length < 2 && data.currency === null)) return null;
  const known = [...currencies, ...data.rates.map(({ currency }) => currency)];
  const form = <RatesForm saved={data} currencies={[...new Set(known)].sort()} />;
  return (
    <Card title="Your currency">
      <p className="mb-5 max-w-2xl leading-6 text-pretty text-muted">
        {data.referenceDay
          ? `Amounts of several stores are added up in your currency, or in that of most of your sales, with the reference rates of the European Central Bank of ${formatDays(data.referenceDay, data.referenceDay)}. A rate that you enter replaces theirs.`
          : "Amounts are shown in the currency of their store. To add several up, enter your currency and what one unit of each other currency is worth in it. No other rates are used."}
      </p>
      {data.referenceDay ? (
        <Details summary="Use another currency or rate" openSummary="Hide the form">
          {form}
        </Details>
      ) : (
        form
      )}
    </Card>
  );
}

interface Fields {
  currency: string;
  /** By currency. Empty: unknown. */
  rates: Record<string, string>;
}

function RatesForm({ saved, currencies }: { saved: EarningsRates; currencies: readonly string[] }) {
  const { form, isPending, submit } = useCallForm("PUT /api/earnings/rates", {
    form: {
      values: fieldsOf(saved, currencies),
      // What is typed stays when the rates are loaded again.
      resetOptions: { keepDirtyValues: true },
    },
    input: (fields) => ({ body: ratesOf(fields) }),
    done: "Your rates have been saved.",
    onDone: (stored) => stored && form.reset(fieldsOf(stored, currencies)),
  });
  const { register, watch, formState } = form;
  const { errors, isDirty } = formState;
  useUnsavedText(isDirty);
  const own = watch("currency").trim().toUpperCase();

  return (
    <Form pending={isPending} onSubmit={submit} className="flex flex-col items-start gap-5">
      <div className="grid w-full gap-x-4 gap-y-5 sm:grid-cols-2">
        <Field
          label="Your currency"
          hint="Three letters, such as EUR. Leave it empty to choose none."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={3}
          error={errors.currency?.message}
          {...register("currency", {
            validate: (text) => CURRENCY.test(text.trim()) || "Enter the three letters of a currency.",
          })}
        />
        {currencies
          .filter((currency) => currency !== own)
          .map((currency) => (
            <Field
              key={currency}
              label={`1 ${currency} in ${own || "your currency"}`}
              inputMode="decimal"
              autoComplete="off"
              error={errors.rates?.[currency]?.message}
              {...register(`rates.${currency}`, {
                validate: (text) => text.trim() === "" || problemOf(text) || true,
              })}
            />
          ))}
      </div>
      <FormError>{errors.root?.message}</FormError>
      <Button type="submit" aria-busy={isPending}>
        {isPending ? "Saving..." : "Save"}
      </Button>
    </Form>
  );
}

const CURRENCY = /^([a-z]{3})?$/i;
const MAX_RATE = 1_000_000;

/** A comma is read as a decimal point. */
const numberOf = (text: string) => Number(text.trim().replace(",", "."));

function problemOf(text: string): string | undefined {
  // 16.25, or 16250?
  if (/,\d{3}(?!\d)/.test(text)) return "Write decimals with a point, such as 16.25, not a comma.";
  const rate = numberOf(text);
  return rate > 0 && rate <= MAX_RATE ? undefined : "Enter a number above 0.";
}

function fieldsOf({ currency, rates }: EarningsRates, currencies: readonly string[]): Fields {
  const rateOf = (other: string) => rates.find((each) => each.currency === other)?.rate;
  return {
    currency: currency ?? "",
    rates: Object.fromEntries(currencies.map((each) => [each, String(rateOf(each) ?? "")])),
  };
}

function ratesOf({ currency, rates }: Fields): EarningsRates {
  const own = currency.trim().toUpperCase();
  return {
    currency: own || null,
    rates: Object.entries(rates)
      .filter(([other, text]) => other !== own && text.trim() !== "")
      .map(([other, text]) => ({ currency: other, rate: numberOf(text) })),
  };
}
