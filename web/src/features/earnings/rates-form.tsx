import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { EarningsRates } from "@tapthru/proto/http/earnings";
import { messages } from "@tapthru/proto/rules/messages";
import * as figureTexts from "@tapthru/proto/rules/messages/earnings-page";
import { useForm } from "react-hook-form";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Field } from "../../components/ui/field.tsx";
import { DiscardQuestion, Form, FormError } from "../../components/ui/form.tsx";
import { earningsImportsOptions } from "../../lib/earnings.ts";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { ratesOptions, useSaveRates } from "./api.ts";

/**
 * The user's currency, and their rates. Nothing if they need none: all reports have one currency.
 * @param shown the currencies of the shown period
 */
export function Rates({ shown }: { shown: readonly string[] }) {
  const { data } = useQuery(ratesOptions);
  const { data: imports = [], isPending } = useInfiniteQuery(earningsImportsOptions);
  const stored = imports.filter(({ state }) => state === "stored");
  const reported = stored.flatMap(({ reports }) => reports.map(({ currency }) => currency));
  const currencies = [...new Set([...shown, ...reported])].sort();
  if (!data || isPending || (currencies.length < 2 && data.currency === null)) return null;
  const known = [...currencies, ...data.rates.map(({ currency }) => currency)];
  return (
    <Card title={figureTexts.earningsRates}>
      <p className="mb-5 max-w-2xl leading-6 text-pretty text-muted">
        {figureTexts.earningsRatesText}
      </p>
      <RatesForm
        key={JSON.stringify([data, currencies])}
        saved={data}
        currencies={[...new Set(known)].sort()}
      />
    </Card>
  );
}

interface Fields {
  currency: string;
  /** By currency. Empty: unknown. */
  rates: Record<string, string>;
}

function RatesForm({ saved, currencies }: { saved: EarningsRates; currencies: readonly string[] }) {
  const { register, handleSubmit, setError, watch, formState } = useForm<Fields>({
    defaultValues: fieldsOf(saved, currencies),
  });
  const { errors, isDirty } = formState;
  const { mutate, isPending } = useSaveRates(() =>
    setError("root", { message: figureTexts.failedToSaveRates }),
  );
  const unsaved = useUnsavedText(isDirty);
  const own = watch("currency").trim().toUpperCase();

  return (
    <>
      <Form
        pending={isPending}
        onSubmit={handleSubmit((fields) => mutate(ratesOf(fields)))}
        className="flex flex-col items-start gap-5"
      >
        <div className="grid w-full gap-x-4 gap-y-5 sm:grid-cols-2">
          <Field
            label={figureTexts.ownCurrency}
            hint={figureTexts.ownCurrencyHint}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={3}
            error={errors.currency?.message}
            {...register("currency", {
              validate: (text) => CURRENCY.test(text.trim()) || figureTexts.invalidCurrency,
            })}
          />
          {currencies
            .filter((currency) => currency !== own)
            .map((currency) => (
              <Field
                key={currency}
                label={figureTexts.rateOf(currency, own || figureTexts.yourOwnCurrency)}
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
        <Button type="submit" aria-disabled={isPending} aria-busy={isPending}>
          {isPending ? messages.saving : messages.save}
        </Button>
      </Form>
      <DiscardQuestion unsaved={unsaved} />
    </>
  );
}

const CURRENCY = /^([a-z]{3})?$/i;
const MAX_RATE = 1_000_000;

/** A comma is read as a decimal point. */
const numberOf = (text: string) => Number(text.trim().replace(",", "."));

function problemOf(text: string): string | undefined {
  // 16.25, or 16250?
  if (/,\d{3}(?!\d)/.test(text)) return figureTexts.ambiguousRate;
  const rate = numberOf(text);
  return rate > 0 && rate <= MAX_RATE ? undefined : figureTexts.invalidRate;
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
