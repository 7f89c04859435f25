import type { Rule, RuleGroup } from "./rules.ts";

/**
 * The rules as the Prometheus Operator takes them.
 * @param checkout where this checkout can be read, with a slash at its end: alerts then lead to their runbooks
 */
export function prometheusRule(groups: readonly RuleGroup[], checkout: string) {
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "tapthru", labels: { "app.kubernetes.io/part-of": "tapthru" } },
    spec: {
      groups: groups.map((group) => ({
        ...group,
        rules: group.rules.map((rule) => withRunbook(rule, checkout)),
      })),
    },
  };
}

function withRunbook(rule: Rule, checkout: string): Rule {
  if (!("alert" in rule)) return rule;
  const { annotations } = rule;
  const runbook_url = `${checkout}${annotations.runbook_url}`;
  return { ...rule, annotations: { ...annotations, runbook_url } };
}
