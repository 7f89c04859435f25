import type { StayReason } from "@tapthru/proto/rules/routing/explain-visit";
import { textLinkClass } from "../../components/ui/button.tsx";
import type { ExplainedVisit } from "./use-visit.ts";

/** Says where visitors from a country go, and why. */
export function VisitNote({ visit }: { visit: ExplainedVisit }) {
  return (
    <p aria-live="polite" className="mt-2 text-md leading-6 text-pretty">
      {visit.hasFailed ? (
        <>
          Failed to load where they go.{" "}
          <button type="button" onClick={visit.retry} className={textLinkClass}>
            Try again
          </button>
        </>
      ) : (
        noteText(visit)
      )}
    </p>
  );
}

function noteText({ explanation, routedPage }: ExplainedVisit): string {
  if (explanation === null) return "Loading...";
  if (explanation.kind === "stays") {
    return STAYS[explanation.reason](explanation.stores.map((store) => `amazon.${store}`));
  }
  const { kind, marketplace } = explanation.route;
  const text =
    kind === "product"
      ? (store: string, tag: string) => `They open the product on ${store}, with your tag ${tag}.`
      : (store: string, tag: string) =>
          `They search for the title on ${store}, with your tag ${tag}, because it isn't known to sell the product.`;
  return text(`amazon.${marketplace}`, routedPage?.tag ?? "");
}

const STAYS: Record<StayReason, (stores: readonly string[]) => string> = {
  "no-store": () => "They open your original link.",
  "own-store": (stores) => `They open your original link: ${new Intl.ListFormat("en").format(stores)} is their store.`,
  off: () => "They open your original link: sending visitors to their own store is off for this link.",
  attribution: () =>
    "They open your original link: sales in another store would be missing from the Amazon Attribution report.",
  "one-link": (stores) =>
    `They open your original link: you said that Amazon OneLink serves ${new Intl.ListFormat("en").format(stores)}, so Amazon sends them there.`,
  "no-tag": (stores) =>
    `They open your original link: you have no tag for ${new Intl.ListFormat("en", { type: "disjunction" }).format(stores)}.`,
  "not-sold": (stores) =>
    `They open your original link: ${new Intl.ListFormat("en", { type: "disjunction" }).format(stores)} isn't known to sell the product.`,
};
