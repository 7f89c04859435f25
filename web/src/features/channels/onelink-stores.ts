import { queryOf } from "../../lib/http/query-presets.ts";

/** The stores that OneLink serves, as the user said. */
export const oneLinkStoresOptions = queryOf("GET /api/onelink-stores");
