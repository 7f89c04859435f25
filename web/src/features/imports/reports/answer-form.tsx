import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";
import { AMAZON_STORE_ID_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import { Button } from "../../../components/ui/button.tsx";
import { RadioList } from "../../../components/ui/choice-list.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Form, FormError } from "../../../components/ui/form.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { useCallForm } from "../../../kit/call-form.tsx";
import { STORE_OPTIONS } from "../../../lib/names.ts";

const EARNINGS_QUESTIONS = {
  marketplace: "The file does not say which store it is from.",
  "date-order": "The dates of this file can be read in two ways. What would 03/04/2026 be in it?",
} as const;

const DATE_ORDERS_TEXT = {
  "day-first": { name: "Day first", text: "03/04/2026 would be April 3." },
  "month-first": { name: "Month first", text: "03/04/2026 would be March 4." },
} as const;

interface Answers {
  marketplace: Marketplace | null;
  storeId: string;
  dateOrder: DateOrder | null;
}

interface AnswerFormProps {
  import: EarningsImport;
  /** Null if the user corrects the file's facts or their own. */
  question: EarningsImport["question"];
}

export function AnswerForm({ import: shown, question }: AnswerFormProps) {
  const needsStore = question !== "date-order";
  const needsDates = question !== "marketplace";
  const { form, isPending, submit } = useCallForm("PATCH /api/earnings/imports/:id", {
    form: {
      mode: "onChange",
      defaultValues: { marketplace: shown.marketplace, storeId: shown.storeId, dateOrder: null } as Answers,
    },
    input: ({ marketplace: store, storeId, dateOrder: order }) => ({
      params: { id: shown.id },
      body: {
        ...(needsStore && store !== null && { marketplace: store }),
        ...(needsStore && { storeId: storeId.trim() }),
        ...(needsDates && order !== null && { dateOrder: order }),
      },
    }),
  });
  const { marketplace, dateOrder } = form.watch();
  const storeIdError = form.formState.errors.storeId?.message;
  const isComplete =
    (question !== "marketplace" || marketplace !== null) && (question !== "date-order" || dateOrder !== null);

  return (
    <Form
      pending={isPending || !isComplete || storeIdError !== undefined}
      onSubmit={submit}
      className="flex flex-col items-start gap-4"
    >
      {needsStore && (
        <>
          {question !== null && <p>{EARNINGS_QUESTIONS[question]}</p>}
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <SelectField
              label="Store"
              options={marketplace === null ? [["", "Choose the store"], ...STORE_OPTIONS] : STORE_OPTIONS}
              value={marketplace ?? ""}
              onChange={(store) => form.setValue("marketplace", store as Marketplace)}
            />
            <Field
              label="Store ID of your Associates account"
              hint="Only if you have several accounts in this store."
              error={storeIdError}
              maxLength={AMAZON_STORE_ID_MAX_LENGTH}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.register("storeId", {
                validate: (text) =>
                  /^[\w.-]*$/.test(text.trim()) || "Use letters, digits, dots, hyphens and underscores only.",
              })}
            />
          </div>
        </>
      )}
      {needsDates && (
        <RadioList
          legend={question === "date-order" ? EARNINGS_QUESTIONS[question] : "Order of dates"}
          choices={DATE_ORDERS.map((value) => ({ value, ...DATE_ORDERS_TEXT[value] }))}
          value={dateOrder}
          onChange={(order) => form.setValue("dateOrder", order)}
        />
      )}
      <FormError>{form.formState.errors.root?.message}</FormError>
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
