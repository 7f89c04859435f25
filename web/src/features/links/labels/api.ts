import { queryOf } from "../../../lib/http/query-presets.ts";

export const labelsOptions = queryOf("GET /api/labels");
