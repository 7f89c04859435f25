import type { FileEncoding, Reading } from "@tapthru/proto/imports";
import { FormProvider } from "react-hook-form";
import { Button } from "../../../components/ui/button.tsx";
import { Form, FormError } from "../../../components/ui/form.tsx";
import { ChoiceField, useCallForm } from "../../../kit/call-form.tsx";
import type { InputOf } from "../../../lib/http/call-api.ts";

const ENCODINGS: Readonly<Record<FileEncoding, string>> = {
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  "windows-1254": "Turkish (Windows-1254)",
  "windows-1256": "Arabic (Windows-1256)",
  shift_jis: "Japanese (Shift_JIS)",
  macintosh: "Western European (Mac Roman)",
};
const COLUMNS = ["Address", "Short code", "Name", "Expiry"];

/** A file of this visit, which can be read otherwise. */
export interface SentFile {
  id: string;
  input: InputOf<"POST /api/imports">;
}

interface ReadAgainProps {
  sent: SentFile;
  reading: Reading;
  onSent: (sent: SentFile) => void;
}

/** Asks what a file does not say for certain, and sends it again. */
export function ReadAgain({ sent: { input }, reading, onSent }: ReadAgainProps) {
  const { isEncodingCertain, sample, columns, usedColumns, ignoredColumns } = reading;
  const defaultValues = { encoding: reading.encoding as FileEncoding, used: usedColumns };
  const { form, isPending, submit } = useCallForm("POST /api/imports", {
    form: { defaultValues },
    input: changed,
    onDone: (created) => created && onSent({ id: created.id, input: changed(form.getValues()) }),
  });
  const asksColumns = columns.length > 0 && (ignoredColumns.length > 0 || input.query?.columns !== undefined);
  if (isEncodingCertain && !asksColumns) return null;

  function changed({ encoding, used }: typeof defaultValues): SentFile["input"] {
    const query = {
      ...input.query,
      ...(!isEncodingCertain && { encoding }),
      ...(asksColumns && { columns: used.join() }),
    };
    return { ...input, query };
  }

  return (
    <FormProvider {...form}>
      <Form pending={isPending} onSubmit={submit} className="flex flex-col items-start gap-4">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          {!isEncodingCertain && (
            <ChoiceField name="encoding" label="Encoding of the file" options={Object.entries(ENCODINGS)} />
          )}
          {sample !== null && <p className="text-md wrap-anywhere">{sample}</p>}
          {asksColumns &&
            COLUMNS.map((label, at) => (
              <ChoiceField
                key={label}
                name={`used.${at}`}
                label={label}
                options={[
                  ["0", "None"],
                  ...columns.map((name, index) => [`${index + 1}`, name || `Column ${index + 1}`] as const),
                ]}
              />
            ))}
        </div>
        <FormError>{form.formState.errors.root?.message}</FormError>
        <Button type="submit" variant="outline" aria-disabled={isPending}>
          Read again
        </Button>
      </Form>
    </FormProvider>
  );
}
