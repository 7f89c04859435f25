import { pipeline, Readable } from "node:stream";
import type { CsvSeparator } from "@tapthru/proto/fields";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";

export type CsvRecord = Readonly<Record<string, string | number | null>>;

/**
 * RFC 4180 in UTF-8. Without the byte order mark, Excel reads UTF-8 as another encoding. Values with any kind of line break
 * are quoted.
 */
function csvOptions(columns: readonly string[], separator: CsvSeparator): Options {
  return {
    bom: true,
    columns: [...columns],
    delimiter: separator ?? ",",
    header: true,
    quoted_match: /[\r\n]/,
    record_delimiter: "windows",
  };
}

export const CSV_TYPE = "text/csv; charset=utf-8";

export function csvText(columns: readonly string[], records: readonly CsvRecord[], separator: CsvSeparator): string {
  return stringifyAll([...records], csvOptions(columns, separator));
}

/** Reads records as fast as the stream is read. If reading fails, the stream is destroyed with the error. */
export function csvStream(
  columns: readonly string[],
  records: AsyncIterable<CsvRecord>,
  separator: CsvSeparator,
): Readable {
  return pipeline(Readable.from(records), stringify(csvOptions(columns, separator)), () => {});
}

export interface JsonList {
  name: string;
  pages: AsyncIterable<readonly string[]>;
}

/** @param head the fields before the long lists, at least one */
export async function* streamJson(head: object, ...lists: readonly JsonList[]): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const { name, pages } of lists) {
    yield `,"${name}":[`;
    let separator = "";
    for await (const items of pages) {
      if (items.length === 0) continue;
      yield separator + items.join(",\n");
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

/** @param serialize the JSON of one item */
export async function* serialized<Item>(
  pages: AsyncIterable<readonly Item[]>,
  serialize: (item: Item) => string,
): AsyncGenerator<readonly string[]> {
  for await (const items of pages) yield items.map(serialize);
}
