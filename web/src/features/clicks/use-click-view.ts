import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { useLocation, useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { type ClickPeriod, PERIODS, periodProblem } from "./click-period.ts";

const DEFAULT_PERIOD = "30d";
const Kind = z.catch(z.enum(PERIODS), DEFAULT_PERIOD);
const Day = z.catch(z.iso.date(), "");
const Class = z.catch(z.enum(CLICK_CLASSES), "person");

interface ClickView {
  period: ClickPeriod;
  clickClass: ClickClass;
}

/** Keeps period and class in the URL of the page, so that reloading the page and going back to it restore them. */
export function useClickView() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const view = parseView(params);
  return {
    ...view,
    change: (changes: Partial<ClickView>) =>
      setParams(viewParameters({ ...view, ...changes }), {
        replace: true,
        // Contains what the link back to the list needs.
        state,
      }),
  };
}

function parseView(params: URLSearchParams): ClickView {
  const kind = z.parse(Kind, params.get("period"));
  const clickClass = z.parse(Class, params.get("show"));
  if (kind !== "custom") return { period: { kind }, clickClass };
  const from = z.parse(Day, params.get("from"));
  const to = z.parse(Day, params.get("to"));
  const isValid = from !== "" && to !== "" && periodProblem(from, to) === null;
  return { period: isValid ? { kind, from, to } : { kind: DEFAULT_PERIOD }, clickClass };
}

function viewParameters({ period, clickClass }: ClickView): Record<string, string> {
  const { kind, ...days } = period;
  return {
    ...(kind !== DEFAULT_PERIOD && { period: kind }),
    ...days,
    ...(clickClass !== "person" && { show: clickClass }),
  };
}
