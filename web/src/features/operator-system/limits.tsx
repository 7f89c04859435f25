import { useQuery } from "@tanstack/react-query";
import { LIMIT_FACTORS, type OperatorLimit } from "@tapthru/proto/http/operator/limits";
import * as texts from "@tapthru/proto/rules/messages/operator-system";
import { Info } from "lucide-react";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { limitsOptions, useRaiseLimit } from "./api.ts";

/** The limits of requests, each of which can be raised for an hour. */
export function Limits() {
  const query = useQuery(limitsOptions);
  return (
    <Loaded data={query.data} query={query} failed={texts.limitsFailed}>
      {({ isOn, limits }) => (
        <>
          {!isOn && <Notice icon={Info}>{texts.limitsAreOff}</Notice>}
          <ul className="divide-y divide-line">
            {limits.map((limit) => (
              <Limit key={limit.name} limit={limit} canRaise={isOn} />
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

interface LimitProps {
  limit: OperatorLimit;
  /** False: the installation has no limits. */
  canRaise: boolean;
}

function Limit({ limit, canRaise }: LimitProps) {
  const { factor, raisedUntil } = limit;
  const name = texts.limitNames[limit.name] ?? limit.name;
  const { mutate, isPending } = useRaiseLimit(limit.name);
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-4 first:pt-0">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {raisedUntil !== null && (
            <Badge>{texts.raisedUntil(factor, formatMinute(raisedUntil))}</Badge>
          )}
        </h2>
        <p className="mt-0.5 text-sm text-muted">{figuresOf(limit).join(", ")}</p>
      </div>
      {canRaise && (
        <div className="flex flex-wrap gap-2">
          {LIMIT_FACTORS.map((each) => (
            <Button
              key={each}
              variant="quiet"
              aria-label={texts.raiseLimit(name, each)}
              aria-pressed={raisedUntil !== null && factor === each}
              aria-disabled={isPending}
              onClick={() => mutate(each)}
            >
              {texts.raiseTo(each)}
            </Button>
          ))}
          {raisedUntil !== null && (
            <Button
              variant="outline"
              aria-label={texts.endRaiseOf(name)}
              aria-disabled={isPending}
              onClick={() => mutate(1)}
            >
              {texts.endRaise}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** As they are now: the numbers of a raised limit are those without the factor. */
function figuresOf({ address, visitor, all, used, factor }: OperatorLimit): string[] {
  const now = (count: number) => formatNumber(count * factor);
  return [
    address === null ? [] : texts.perAddress(now(address)),
    visitor === null ? [] : texts.perVisitor(now(visitor)),
    all === null ? [] : texts.ofAll(now(all), formatNumber(used ?? 0)),
  ].flat();
}
