import * as z from "zod/mini";
import type { Call } from "./call.ts";

const count = z.int().check(z.nonnegative());

/** A row of the strategy table with its reports. */
const RowStatus = z.object({
  row: z.string(),
  app: z.string(),
  os: z.enum(["ios", "android"]),
  /** Pages that tried to open the Amazon app and reported the outcome. */
  tried: count,
  /** Those that did not stay visible. */
  opened: count,
});
export type RowStatus = z.infer<typeof RowStatus>;

/** How often the Amazon app opened, for everyone. */
export const getAppOpeningStatus = {
  method: "GET",
  path: "/api/status/app-opening",
  access: "anyone",
  replies: {
    200: z.object({
      /** The first day that is counted, in UTC. */
      since: z.iso.date(),
      /** Most reports first. */
      rows: z.array(RowStatus),
    }),
  },
} as const satisfies Call;
