import type { EarningsImport } from "@tapthru/proto/earnings-imports";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { DATE_ORDERS } from "@tapthru/proto/rules/earnings";
import { AMAZON_STORE_ID_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { CallForm, ChoiceField, RadioField, TextField } from "../../../kit/call-form.tsx";
import { STORE_OPTIONS } from "../../../lib/names.ts";

const EARNINGS_QUESTIONS = {
  marketplace: "The file does not say which store it is from.",
  "date-order": "The dates of this file can be read in two ways. What would 03/04/2026 be in it?",
} as const;

const DATE_ORDERS_TEXT = {
  "day-first": { name: "Day first", text: "03/04/2026 would be April 3." },
  "month-first": { name: "Month first", text: "03/04/2026 would be March 4." },
} as const;

interface AnswerFormProps {
  import: EarningsImport;
  /** Null if the user corrects the file's facts or their own. */
  question: EarningsImport["question"];
}

const STORE_ID_CHARACTERS = "Use letters, digits, dots, hyphens and underscores only.";

const rulesOf = (question: AnswerFormProps["question"]) =>
  z.object({
    marketplace: z
      .string()
      .check(z.refine((store) => question !== "marketplace" || store !== "", "Please choose the store")),
    storeId: z.string().check(z.trim(), z.regex(/^[\w.-]*$/, STORE_ID_CHARACTERS)),
    dateOrder: z
      .nullable(z.enum(DATE_ORDERS))
      .check(z.refine((order) => question !== "date-order" || order !== null, "Please choose an order")),
  });

export function AnswerForm({ import: shown, question }: AnswerFormProps) {
  const needsStore = question !== "date-order";
  const needsDates = question !== "marketplace";
  return (
    <CallForm
      call="PATCH /api/earnings/imports/:id"
      rules={rulesOf(question)}
      values={{ marketplace: shown.marketplace ?? "", storeId: shown.storeId, dateOrder: null }}
      input={({ marketplace, storeId, dateOrder }) => ({
        params: { id: shown.id },
        body: {
          ...(needsStore && marketplace !== "" && { marketplace: marketplace as Marketplace }),
          ...(needsStore && { storeId }),
          ...(needsDates && dateOrder !== null && { dateOrder }),
        },
      })}
      save={question === null ? "Read again" : "Continue"}
    >
      {needsStore && (
        <>
          {question !== null && <p>{EARNINGS_QUESTIONS[question]}</p>}
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <ChoiceField
              name="marketplace"
              label="Store"
              options={shown.marketplace === null ? [["", "Choose the store"], ...STORE_OPTIONS] : STORE_OPTIONS}
            />
            <TextField
              name="storeId"
              label="Store ID of your Associates account"
              hint="Only if you have several accounts in this store."
              maxLength={AMAZON_STORE_ID_MAX_LENGTH}
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
        </>
      )}
      {needsDates && (
        <RadioField
          name="dateOrder"
          legend={question === "date-order" ? EARNINGS_QUESTIONS[question] : "Order of dates"}
          choices={DATE_ORDERS.map((value) => ({ value, ...DATE_ORDERS_TEXT[value] }))}
        />
      )}
    </CallForm>
  );
}
