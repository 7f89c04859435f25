import { CLICK_CLASSES, type ClickClass } from "@tapthru/proto/clicks/keys";
import { useLocation, useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { type Period, periodParameters, readPeriod } from "../../lib/period.ts";

const Class = z.catch(z.enum(CLICK_CLASSES), "person");

interface ClickView {
  period: Period;
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
        preventScrollReset: true,
        // Contains what the link back to the list needs.
        state,
      }),
  };
}

function parseView(params: URLSearchParams): ClickView {
  return { period: readPeriod(params), clickClass: z.parse(Class, params.get("show")) };
}

function viewParameters({ period, clickClass }: ClickView): Record<string, string> {
  return { ...periodParameters(period), ...(clickClass !== "person" && { show: clickClass }) };
}
