import { importOnline } from "./import-online.ts";

/** The schemas that parse replies, which load apart from the first script. */
export const loadSchemas = importOnline(() => import("./parse-reply.ts"));
