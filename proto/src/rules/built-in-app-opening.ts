import table from "./app-opening.json" with { type: "json" };
import { OpeningTable } from "./app-opening.ts";

/** The strategy table of this release. */
export const BUILT_IN_OPENING_TABLE: OpeningTable = OpeningTable.parse(table);
