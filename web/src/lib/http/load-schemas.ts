import { loadOnce } from "../load-once.ts";

/**
 * Loads the schemas that parse responses. They are not in the first script. Once loaded they are there without another
 * `import`, which a page that is being closed would not wait for.
 */
export const loadSchemas = loadOnce(() => import("./parse-reply.ts"));
