import table from "./app-opening.json" with { type: "json" };
import { AppOpeningTable } from "./app-opening.ts";

export const BUILT_IN_OPENING_TABLE: AppOpeningTable = AppOpeningTable.parse(table);
