import * as z from "zod/mini";
import { resource } from "./call.ts";

const count = z.int().check(z.nonnegative());

const RowStatus = z.object({
  row: z.string(),
  app: z.string(),
  os: z.enum(["ios", "android"]),
  tried: count,
  /** Those that did not stay visible. */
  opened: count,
});
export type RowStatus = z.infer<typeof RowStatus>;

const status = resource("Status", { reads: "anyone", writes: "anyone" });

export const getAppOpeningStatus = status.get("/api/status/app-opening", {
  summary: "Get how often the Amazon app opens",
  description:
    "The last 30 days of all links together, by row of the strategy table; no links and no visitors. `tried` counts pages that tried to open the Amazon app and reported the outcome, `opened` those that did not stay visible. On Android a page that was left counts as opened, because it does not know for what. Rows with fewer than 50 reports are left out. At most a minute old.",
  replies: {
    200: z.object({
      /** The first day that is counted, in UTC. */
      since: z.iso.date(),
      rows: z.array(RowStatus),
    }),
  },
});
