import { useQuery } from "@tanstack/react-query";
import type { ExperimentFigures } from "@tapthru/proto/experiments";
import { formatMoney } from "@tapthru/proto/rules/money";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Action } from "../../kit/action.tsx";
import { Facts } from "../../kit/facts.tsx";
import { hasPassed } from "../../lib/dates.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { formatExactShare, formatNumber } from "../../lib/locale-formats.ts";

export const WAY_NAMES = {
  app: "the app, as usual",
  tap: "the app, after a tap only",
  browser: "the store in the browser",
};

export function Figures({ id }: { id: number }) {
  const params = { id: String(id) };
  const query = useQuery({
    queryKey: ["/api/experiments/:id", id],
    queryFn: ({ signal }) => callApi("GET /api/experiments/:id", { params, signal }),
    staleTime: 0,
  });
  return (
    <Loaded isLine data={query.data} query={query} failed="The figures could not be loaded.">
      {(experiment) => {
        const { verdict, adopted } = experiment;
        const winner = verdict === "a" || verdict === "b" ? verdict : null;
        return (
          <>
            <p className="leading-6 text-pretty">{verdictText(experiment)}</p>
            {(["a", "b"] as const).map((arm) => (
              <Arm key={arm} arm={arm} experiment={experiment} />
            ))}
            {winner && winner !== adopted && (
              <div>
                <Action
                  call="PATCH /api/experiments/:id"
                  input={{ params, body: { adopted: winner } }}
                  label={`Adopt ${winner.toUpperCase()}`}
                  variant="primary"
                  question={`Let all open ${WAY_NAMES[experiment[winner].way]}?`}
                  confirmVariant="primary"
                  done="It was adopted."
                >
                  It is for links of this channel, store and system, with the channel's own tag, until you change it.
                </Action>
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function verdictText({ verdict, measure, endsAt }: ExperimentFigures): string {
  const ofWhat = measure === "orders" ? "orders" : "openings";
  if (verdict === "no-difference") return `No difference in ${ofWhat} was found. More visits may show a smaller one.`;
  if (verdict !== "unknown") return `${verdict.toUpperCase()} has more ${ofWhat} for each visit.`;
  if (!hasPassed(endsAt)) return "It cannot be known yet: the halves are compared once, after the end.";
  if (measure === "openings") return "It cannot be known: there were too few openings.";
  return "It cannot be known yet: import the orders reports of all days until the day after the end, with 20 orders at least.";
}

function Arm({ arm, experiment }: { arm: "a" | "b"; experiment: ExperimentFigures }) {
  const { measure, currency, figures } = experiment;
  const { visits, openings, amazonClicks, orders, earnings, rate } = figures[arm];
  const countText = (count: number | null) => (count === null ? "Not known" : formatNumber(count));
  const per100 = (share: number) => formatExactShare(share).replace("%", "");
  const money = (factor: number) => formatMoney(Math.round((earnings ?? 0) * factor), currency ?? "EUR");
  const hasInterval = rate !== null && rate.value > 0 && measure === "orders" && earnings !== null;
  return (
    <div>
      <h4 className="mb-2 font-medium">{`${arm.toUpperCase()}: ${WAY_NAMES[experiment[arm].way]}`}</h4>
      <Facts
        look="figures"
        facts={[
          ["Visits", formatNumber(visits)],
          ["Opened the app", countText(openings)],
          ["Amazon's clicks", countText(amazonClicks)],
          ["Orders", countText(orders)],
          [
            "Earnings",
            earnings === null ? "Not known" : money(1),
            hasInterval && `likely ${money(rate.low / rate.value)} to ${money(rate.high / rate.value)}`,
          ],
          rate !== null && [
            `${measure === "orders" ? "Orders" : "Openings"} for 100 visits`,
            per100(rate.value),
            `likely ${per100(rate.low)} to ${per100(rate.high)}`,
          ],
        ]}
      />
    </div>
  );
}
