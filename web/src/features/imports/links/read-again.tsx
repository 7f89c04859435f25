import type { FileEncoding, Reading } from "@tapthru/proto/imports";
import { useState } from "react";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { useCall } from "../../../kit/use-call.ts";
import type { InputOf } from "../../../lib/http/call-api.ts";
import { FAILED_TO_SEND } from "../imports.tsx";

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
  const { encoding, isEncodingCertain, sample, columns, usedColumns, ignoredColumns } = reading;
  const [error, setError] = useState<string>();
  const { call } = useCall("POST /api/imports", { failed: FAILED_TO_SEND });
  const asksColumns = columns.length > 0 && (ignoredColumns.length > 0 || input.query?.columns !== undefined);

  function read(change: { encoding?: FileEncoding; columns?: string }) {
    const changed = { ...input, query: { ...input.query, ...change } };
    call(changed, { onDone: (created) => created && onSent({ id: created.id, input: changed }), onFailed: setError });
  }

  return (
    <div className="grid gap-4 empty:hidden sm:grid-cols-2">
      {!isEncodingCertain && (
        <div className="sm:col-span-2">
          <SelectField
            label="Encoding of the file"
            options={Object.entries(ENCODINGS)}
            value={encoding}
            onChange={(value) => read({ encoding: value as FileEncoding })}
          />
          <p className="mt-2 text-md wrap-anywhere">{sample}</p>
        </div>
      )}
      {asksColumns &&
        COLUMNS.map((label, at) => (
          <SelectField
            key={label}
            label={label}
            options={[
              ["0", "None"],
              ...columns.map((name, index) => [`${index + 1}`, name || `Column ${index + 1}`] as const),
            ]}
            value={`${usedColumns[at]}`}
            onChange={(value) =>
              read({ columns: usedColumns.map((used, index) => (index === at ? value : used)).join() })
            }
          />
        ))}
      {error !== undefined && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
