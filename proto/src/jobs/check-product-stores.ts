import * as z from "zod/mini";
import { defineJob } from "./definition.ts";

/** Verifies whether the products of routed links are sold in the stores for which their owners have a tag. */
export const checkProductStores = defineJob({
  name: "check-product-stores",
  payload: z.strictObject({}),
  attempts: 1,
  backoffMs: 1_000,
  schedule: { everyMs: 60_000 },
});
