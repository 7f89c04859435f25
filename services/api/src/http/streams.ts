import { pipeline, Readable } from "node:stream";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";

/** A record has a value for each column. */
export type CsvRecord = Readonly<Record<string, string | number | null>>;

/**
 * RFC 4180 in UTF-8. Without the byte order mark, Excel reads UTF-8 as another encoding. Values with any kind of line break
 * are quoted.
 */
function csvOptions(columns: readonly string[]): Options {
  return {
    bom: true,
    columns: [...columns],
    header: true,
    quoted_match: /[\r\n]/,
    record_delimiter: "windows",
  };
}

export const CSV_TYPE = "text/csv; charset=utf-8";

export function csvText(columns: readonly string[], records: readonly CsvRecord[]): string {
  return stringifyAll([...records], csvOptions(columns));
}

/** Reads records as fast as the stream is read. If reading fails, the stream is destroyed with the error. */
export function csvStream(columns: readonly string[], records: AsyncIterable<CsvRecord>): Readable {
  return pipeline(Readable.from(records), stringify(csvOptions(columns)), () => {});
}

/**
 * The JSON of an object whose last field is a long list.
 * @param head the other fields, at least one
 * @param serialize the JSON of one item
 */
export async function* streamJson<Item>(
  head: object,
  list: { name: string; pages: AsyncIterable<readonly Item[]>; serialize: (item: Item) => string },
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"${list.name}":[`;
  let separator = "";
  for await (const items of list.pages) {
    if (items.length === 0) continue;
    yield separator + items.map(list.serialize).join(",\n");
    separator = ",\n";
  }
  yield "]}\n";
}
