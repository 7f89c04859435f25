import { FormProvider, useForm } from "react-hook-form";
import { Button } from "../../../components/ui/button.tsx";
import { Form, FormError } from "../../../components/ui/form.tsx";
import { ChoiceField } from "../../../kit/call-form.tsx";
import { useConfig } from "../../../lib/config.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import {
  FILE_ENCODINGS,
  type FileEncoding,
  type LinkDomains,
  type LinkFile,
  type ReadOptions,
} from "../../files/index.ts";

const FORMAT_NAMES = {
  own: (productName: string) => `an export of ${productName}`,
  bitly: () => "an export of Bitly",
  geniuslink: () => "an export of Geniuslink",
  kutt: () => "links of Kutt",
  shlink: () => "an export of Shlink",
  yourls: () => "an export of YOURLS",
  table: () => "a table with a column of addresses",
  addresses: () => "a list of addresses",
} as const;

/** Domains that are named. */
const HOSTS_MAX_COUNT = 20;

export type ReadChoice = Omit<ReadOptions, "timeZone">;

export function FileNotes({ file: { format, lines, reading }, domains }: { file: LinkFile; domains: LinkDomains }) {
  const { productName } = useConfig();
  const { skippedLines, ignoredColumns } = reading;
  const all = new Set(lines.flatMap(({ slug, domain }) => (slug !== null && domain) || []));
  const hosts = [...all].slice(0, HOSTS_MAX_COUNT);
  const own = hosts.filter((host) => domains.ownDomains.includes(host));
  const others = hosts.filter((host) => !own.includes(host));
  const isPlain = hosts.length < 2 && own.every((host) => host === domains.domain);
  return (
    <>
      <p className="text-md text-pretty text-muted">{`This is ${FORMAT_NAMES[format](productName)}.`}</p>
      {!isPlain && (
        <p className="text-md text-pretty wrap-anywhere">
          {hosts.length > 1 && `This file has short addresses on ${all.size} domains. `}
          {own.length > 0 && `Codes stay on ${own.join(", ")}. `}
          {others.length > 0 &&
            `Not your domains here: ${others.join(", ")}. Add those that you own before you import, so that their short addresses keep working.`}
        </p>
      )}
      <p className="text-md text-pretty wrap-anywhere empty:hidden">
        {skippedLines > 0 && `Skipped above the names of the columns: ${formatCount(skippedLines, "line")}. `}
        {ignoredColumns.length > 0 && `Columns that are not imported: ${ignoredColumns.join(", ")}.`}
      </p>
    </>
  );
}

const COLUMNS = ["Address", "Short code", "Name", "Expiry"];

interface ReadAgainProps {
  file: LinkFile;
  options: ReadChoice;
  error: string | undefined;
  isPending: boolean;
  onReadAgain: (options: ReadChoice) => void;
}

export function ReadAgain({ file: { reading }, options, error, isPending, onReadAgain }: ReadAgainProps) {
  const { isEncodingCertain, sample, columns, usedColumns, ignoredColumns } = reading;
  const form = useForm({
    defaultValues: { encoding: reading.encoding as FileEncoding, used: usedColumns.map(String) },
  });
  const asksColumns = columns.length > 0 && (ignoredColumns.length > 0 || options.columns !== undefined);
  if (isEncodingCertain && !asksColumns) return null;

  return (
    <FormProvider {...form}>
      <Form
        pending={isPending}
        onSubmit={form.handleSubmit(({ encoding, used }) =>
          onReadAgain({ ...(!isEncodingCertain && { encoding }), ...(asksColumns && { columns: used.map(Number) }) }),
        )}
        className="flex flex-col items-start gap-4"
      >
        <div className="grid w-full gap-4 sm:grid-cols-2">
          {!isEncodingCertain && (
            <ChoiceField name="encoding" label="Encoding of the file" options={Object.entries(FILE_ENCODINGS)} />
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
        <FormError>{error}</FormError>
        <Button type="submit" variant="outline" aria-disabled={isPending}>
          Read again
        </Button>
      </Form>
    </FormProvider>
  );
}
