import type { EarningsImport } from "@tapthru/proto/http/earnings-imports";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { DATE_ORDERS, type DateOrder } from "@tapthru/proto/rules/earnings";
import { AMAZON_STORE_ID_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import * as fileTexts from "@tapthru/proto/rules/messages/earnings-files";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Form, FormError } from "../../components/ui/form.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { STORE_OPTIONS } from "../../lib/store-name.ts";
import { type Answers, answerErrorMessage, useAnswer } from "./api.ts";

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
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useAnswer(shown.id);
  const needsStore = question !== "date-order";
  const needsDates = question !== "marketplace";
  const storeIdError = /^[\w-]*$/.test(storeId.trim()) ? undefined : fileTexts.invalidStoreId;
  const answers: Answers = {
    ...(needsStore && marketplace !== "" && { marketplace: marketplace as Marketplace }),
    ...(needsStore && { storeId: storeId.trim() }),
    ...(needsDates && dateOrder !== null && { dateOrder }),
  };
  const isComplete =
    (question !== "marketplace" || marketplace !== "") &&
    (question !== "date-order" || dateOrder !== null);

  return (
    <Form
      pending={isPending || !isComplete || storeIdError !== undefined}
      onSubmit={() => {
        setError(undefined);
        mutate(answers, { onError: (failure) => setError(answerErrorMessage(failure)) });
      }}
      className="flex flex-col items-start gap-4"
    >
      {needsStore && (
        <>
          {question !== null && <p>{fileTexts.earningsQuestions[question]}</p>}
          <div className="grid w-full gap-4 sm:grid-cols-2">
            <SelectField
              label={fileTexts.storeOfReports}
              options={
                marketplace === "" ? [["", fileTexts.chooseStore], ...STORE_OPTIONS] : STORE_OPTIONS
              }
              value={marketplace}
              onChange={setMarketplace}
            />
            <Field
              label={fileTexts.storeIdOfReports}
              hint={fileTexts.storeIdHint}
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
          legend={
            question === "date-order" ? fileTexts.earningsQuestions[question] : fileTexts.dateOrder
          }
          choices={DATE_ORDERS.map((value) => ({ value, ...fileTexts.dateOrders[value] }))}
          value={dateOrder}
          onChange={setDateOrder}
        />
      )}
      <FormError>{error}</FormError>
      <Button
        type="submit"
        variant={question === null ? "outline" : "primary"}
        disabled={!isComplete}
        aria-disabled={isPending}
      >
        {question === null ? fileTexts.readAgain : fileTexts.continueReading}
      </Button>
    </Form>
  );
}
