import table from "./app-opening.json" with { type: "json" };
import { AppOpeningTable } from "./app-opening.ts";

/** The strategy table of this release. */
export const BUILT_IN_OPENING_TABLE: AppOpeningTable = AppOpeningTable.parse(table);
