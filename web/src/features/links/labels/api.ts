import { queryOf } from "../../../lib/http/query-presets.ts";

export const LABELS_NOT_SAVED = "The labels could not be saved. Please try again.";

export const labelsOptions = queryOf("GET /api/labels");
