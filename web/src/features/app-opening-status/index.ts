import { queryOf } from "../../lib/http/query-presets.ts";

export const appOpeningStatusQuery = queryOf("GET /api/status/app-opening");
