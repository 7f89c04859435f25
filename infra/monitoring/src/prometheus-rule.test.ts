import { expect, it } from "vitest";
import { prometheusRule } from "./prometheus-rule.ts";
import { readRuleGroups } from "./rules.ts";

const BASE_URL = "https://git.example.com/tapthru/blob/main/";
const groups = readRuleGroups();

it("contains every rule with its expression", () => {
  const expressions = (of: typeof groups) =>
    of.flatMap(({ rules }) => rules).map(({ expr }) => expr);
  expect(expressions(prometheusRule(groups, BASE_URL).spec.groups)).toEqual(expressions(groups));
});

it("links every alert to its runbook by an absolute URL", () => {
  const rules = prometheusRule(groups, BASE_URL).spec.groups.flatMap(({ rules }) => rules);
  const alerts = rules.filter((rule) => "alert" in rule);
  expect(alerts.length).toBeGreaterThan(15);
  for (const { annotations } of alerts) {
    expect(annotations.runbook_url).toContain(`${BASE_URL}docs/runbooks/`);
  }
});
