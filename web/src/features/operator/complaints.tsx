import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect } from "react";
import * as z from "zod/mini";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { formatCount } from "../../lib/locale-formats.ts";
import { useUrlState } from "../../lib/use-url-state.ts";
import { ComplaintItem } from "./complaint-item.tsx";
import { COMPLAINT_VIEWS, complaintsOptions } from "./complaints-api.ts";
import { OperatorList } from "./operator-list.tsx";

const VIEW_NAMES = { open: "Open", decided: "Decided" };

const NO_COMPLAINTS = {
  open: "No reported link is open.",
  decided: "No report has been decided yet.",
};

const ComplaintsView = z.object({ show: z.catch(z.enum(COMPLAINT_VIEWS), "open") });

export function Complaints() {
  const [{ show: view }, change] = useUrlState(ComplaintsView);
  const query = useQuery(complaintsOptions(view));
  const { data } = query;
  useFirstItemKey();
  return (
    <>
      <ChoiceBar
        legend="Which reports"
        isLegendHidden
        choices={COMPLAINT_VIEWS.map((each) => [each, VIEW_NAMES[each]] as const)}
        value={view}
        onChange={(show) => change({ show })}
      />
      {data && (
        <p role="status" className="text-sm text-muted">
          {formatCount(data.openCount, "reported link is open.", "reported links are open.")}
          {/* Touch screens have no keyboard. */}
          <span className="hidden sm:pointer-fine:inline">
            {" "}
            Keys: J and K move, T takes the link down, D dismisses its reports, U undoes.
          </span>
        </p>
      )}
      <OperatorList
        label="Reported links"
        items={data?.links}
        query={query}
        empty={NO_COMPLAINTS[view]}
        onKeyDown={moveFocus}
        item={(link) => <ComplaintItem key={link.shortCode} link={link} />}
      />
    </>
  );
}

const STEPS: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

function moveFocus(event: KeyboardEvent) {
  const step = hasModifier(event) ? undefined : STEPS[event.key];
  const item = event.target instanceof Element && event.target.closest("li");
  if (!step || !item) return;
  const next = step > 0 ? item.nextElementSibling : item.previousElementSibling;
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
}

/** J focuses the first item while no control has the focus. */
function useFirstItemKey() {
  useEffect(() => {
    function focusFirst(event: globalThis.KeyboardEvent) {
      const { target, key } = event;
      const isPage = target instanceof HTMLElement && target.matches("body, main");
      if (key === "j" && isPage && !hasModifier(event)) {
        document.querySelector<HTMLElement>("main li[data-item]")?.focus();
      }
    }
    document.addEventListener("keydown", focusFirst);
    return () => document.removeEventListener("keydown", focusFirst);
  }, []);
}

const hasModifier = (event: Pick<globalThis.KeyboardEvent, "ctrlKey" | "metaKey" | "altKey">) =>
  event.ctrlKey || event.metaKey || event.altKey;
