import { expect, it } from "vitest";
import { prometheusRule } from "./prometheus-rule.ts";
import { readRuleGroups } from "./rules.ts";

const CHECKOUT = "https://git.example.com/tapthru/blob/main/";
const groups = readRuleGroups();

it("holds every rule as Prometheus is given it", () => {
  expect(prometheusRule(groups, "").spec.groups).toEqual(groups);
});

it("lets every alert lead to its runbook by a whole address", () => {
  const rules = prometheusRule(groups, CHECKOUT).spec.groups.flatMap(({ rules }) => rules);
  const alerts = rules.filter((rule) => "alert" in rule);
  expect(alerts.length).toBeGreaterThan(15);
  for (const { annotations } of alerts) {
    expect(annotations.runbook_url).toContain(`${CHECKOUT}docs/OPERATIONS.md#`);
  }
});
