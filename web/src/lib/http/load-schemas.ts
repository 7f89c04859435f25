/** Loads the schemas that parse responses. They are not in the initial bundle. */
export const loadSchemas = () => import("./parse-reply.ts");
