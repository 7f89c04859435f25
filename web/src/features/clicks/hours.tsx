import { useQuery } from "@tanstack/react-query";
import type { ClickReport } from "@tapthru/proto/clicks";
import { Card } from "../../components/ui/card.tsx";
import { formatCount, formatNumber, LOCALE } from "../../lib/locale-formats.ts";
import { type ClickScope, hourlyClicksOptions } from "./api.ts";

/** Names of the weekdays from 2024-01-01, a Monday. */
const dayName = (day: number, weekday: "long" | "short") =>
  new Date(2024, 0, 1 + day).toLocaleDateString(LOCALE, { weekday });
const hourName = (hour: number) => new Date(2024, 0, 1, hour).toLocaleTimeString(LOCALE, { hour: "numeric" });

/** The taps of people by weekday and hour, as a grid. Nothing for long periods, or without taps. */
export function Hours({ scope }: { scope: ClickScope }) {
  const { data, isEnabled } = useQuery(hourlyClicksOptions(scope));
  if (!isEnabled || !data || data.totals.person === 0) return null;
  const days = tapsByHour(data);
  const highest = Math.max(...days.flat());
  const busiestDay = days.findIndex((hours) => hours.includes(highest));
  const busiestHour = days[busiestDay]?.indexOf(highest) ?? 0;
  return (
    <Card title="When people tap">
      <table className="w-full table-fixed border-separate border-spacing-px text-sm text-muted">
        <caption className="caption-bottom pt-2 text-start text-pretty">
          {`Most taps: ${dayName(busiestDay, "long")} from ${hourName(busiestHour)}, ${formatCount(highest, "tap")} in an hour of the week.`}
        </caption>
        <thead>
          <tr>
            <td className="w-10" />
            {[0, 6, 12, 18].map((hour) => (
              <th key={hour} scope="colgroup" colSpan={6} className="text-start font-normal whitespace-nowrap">
                {hourName(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((hours, day) => (
            <tr key={dayName(day, "long")}>
              <th scope="row" className="text-start leading-4 font-normal">
                {dayName(day, "short")}
              </th>
              {hours.map((taps, hour) => (
                <td
                  key={hour}
                  title={`${dayName(day, "short")} ${hourName(hour)}: ${formatNumber(taps)}`}
                  className="relative rounded-xs bg-sunken p-0"
                >
                  <span
                    aria-hidden
                    className="absolute inset-0 rounded-xs bg-accent forced-colors:bg-chosen"
                    style={{ opacity: taps / highest }}
                  />
                  <span className="sr-only">{formatNumber(taps)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** For each weekday from Monday, the taps of each hour. */
function tapsByHour({ series }: ClickReport): number[][] {
  const days = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { start, person } of series) {
    const time = new Date(start);
    const hours = days[(time.getDay() + 6) % 7];
    if (hours) hours[time.getHours()] = (hours[time.getHours()] ?? 0) + person;
  }
  return days;
}
