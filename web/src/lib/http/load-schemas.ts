import { importOnline } from "../import-online.ts";

/** Loads the schemas that parse responses. They are not in the initial bundle. */
export const loadSchemas = importOnline(() => import("./parse-reply.ts"));
