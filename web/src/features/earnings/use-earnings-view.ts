import { EARNINGS_GROUPS, type EarningsGroup, EarningsOrder } from "@tapthru/proto/earnings";
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { type Period, periodParameters, readPeriod } from "../../lib/period.ts";

const DEFAULT_GROUP = "link";
const Group = z.catch(z.enum(EARNINGS_GROUPS), DEFAULT_GROUP);

export interface EarningsView {
  period: Period;
  by: EarningsGroup;
  sort: z.infer<typeof EarningsOrder>;
}

/** Keeps the view in the URL of the page. Days are in their order, all else by earnings, unless the user chose otherwise. */
export function useEarningsView() {
  const [params, setParams] = useSearchParams();
  const view = readView(params);
  return {
    view,
    change: (changes: Partial<EarningsView>) => {
      // Another table begins in its usual order.
      const usual = changes.by === undefined ? {} : { sort: usualOrder(changes.by) };
      setParams(viewParameters({ ...view, ...usual, ...changes }), {
        replace: true,
        preventScrollReset: true,
      });
    },
  };
}

const usualOrder = (by: EarningsGroup): EarningsView["sort"] => (by === "day" ? "key" : "earnings");

function readView(params: URLSearchParams): EarningsView {
  const by = z.parse(Group, params.get("by"));
  const sort = z.parse(z.catch(EarningsOrder, usualOrder(by)), params.get("sort"));
  return { period: readPeriod(params), by, sort };
}

function viewParameters({ period, by, sort }: EarningsView): Record<string, string> {
  return {
    ...periodParameters(period),
    ...(by !== DEFAULT_GROUP && { by }),
    ...(sort !== usualOrder(by) && { sort }),
  };
}
