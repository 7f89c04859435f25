import { expect, it } from "vitest";
import { restrictToInstallation } from "./restrict-to-installation.ts";

it.each([
  [
    "max(tapthru_outbox_lag_seconds)",
    'max(tapthru_outbox_lag_seconds{installation=~"$installation"})',
  ],
  [
    'rate(process_cpu_seconds_total{job="a"}[1m])',
    'rate(process_cpu_seconds_total{installation=~"$installation",job="a"}[1m])',
  ],
  [
    'sum by (job) (up{job=~"tapthru-(api|redirect)"})',
    'sum by (job) (up{installation=~"$installation",job=~"tapthru-(api|redirect)"})',
  ],
  [
    "slo:sli_error:ratio_rate1h / on (slo) group_left slo:error_budget:ratio",
    'slo:sli_error:ratio_rate1h{installation=~"$installation"} / on (slo) group_left slo:error_budget:ratio',
  ],
])("restricts %s to the selected installations", (query, expected) => {
  expect(restrictToInstallation(query)).toBe(expected);
});
