import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";
import { AMAZON_STORE_ID_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import { useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { RadioList } from "../../../components/ui/choice-list.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form } from "../../../components/ui/form.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { STORE_OPTIONS } from "../../../lib/names.ts";

const EARNINGS_QUESTIONS = {
  marketplace: "The file does not say from which store it is.",
  "date-order": "The dates of this file can be read in two ways. What would 03/04/2026 be in it?",
} as const;

const DATE_ORDERS_TEXT = {
  "day-first": { name: "Day first", text: "03/04/2026 would be April 3." },
  "month-first": { name: "Month first", text: "03/04/2026 would be March 4." },
} as const;

interface AnswerFormProps {
  import: EarningsImport;
  /** Null: the user corrects what the file, or they, said. */
  question: EarningsImport["question"];
}

/** What the file does not say, after which it is read again. */
export function AnswerForm({ import: shown, question }: AnswerFormProps) {
  const [marketplace, setMarketplace] = useState<string>(shown.marketplace ?? "");
  const [storeId, setStoreId] = useState(shown.storeId);
  const [dateOrder, setDateOrder] = useState<DateOrder | null>(null);
  const { call, isPending } = useCall("PATCH /api/earnings/imports/:id", {
    failed: "This could not be saved. Please try again.",
  });
  const needsStore = question !== "date-order";
  const needsDates = question !== "marketplace";
  const storeIdError = /^[\w-]*$/.test(storeId.trim())
    ? undefined
    : "Use letters, digits, hyphens and underscores only.";
  const answers = {
    ...(needsStore && marketplace !== "" && { marketplace: marketplace as Marketplace }),
    ...(needsStore && { storeId: storeId.trim() }),
    ...(needsDates && dateOrder !== null && { dateOrder }),
  };
  const isComplete =
    (question !== "marketplace" || marketplace !== "") && (question !== "date-order" || dateOrder !== null);

  return (
    <Form
      pending={isPending || !isComplete || storeIdError !== undefined}
      onSubmit={() => call({ params: { id: shown.id }, body: answers })}
      className="flex flex-col items-start gap-4"
    >
      {needsStore && (
        <>
          {question !== null && <p>{EARNINGS_QUESTIONS[question]}</p>}
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <SelectField
              label="Store"
              options={marketplace === "" ? [["", "Choose the store"], ...STORE_OPTIONS] : STORE_OPTIONS}
              value={marketplace}
              onChange={setMarketplace}
            />
            <Field
              label="Store ID of your Associates account"
              hint="Only if you have several accounts in this store."
              error={storeIdError}
              maxLength={AMAZON_STORE_ID_MAX_LENGTH}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={storeId}
              onChange={({ target }) => setStoreId(target.value)}
            />
          </div>
        </>
      )}
      {needsDates && (
        <RadioList
          legend={question === "date-order" ? EARNINGS_QUESTIONS[question] : "Order of dates"}
          choices={DATE_ORDERS.map((value) => ({ value, ...DATE_ORDERS_TEXT[value] }))}
          value={dateOrder}
          onChange={setDateOrder}
        />
      )}
      <Button
        type="submit"
        variant={question === null ? "outline" : "primary"}
        disabled={!isComplete}
        aria-disabled={isPending}
      >
        {question === null ? "Read again" : "Continue"}
      </Button>
    </Form>
  );
}
