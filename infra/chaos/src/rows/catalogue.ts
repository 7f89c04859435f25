import type { Row } from "../row.ts";
import { crashOfAnyProcess } from "./r08-crash-of-any-process.ts";

/** Every row there is, in the order of the table. */
export const ROWS: readonly Row[] = [crashOfAnyProcess];
