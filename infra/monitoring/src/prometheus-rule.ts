import { REPOSITORY, type Rule, type RuleGroup } from "./rules.ts";

/**
 * The rules as a PrometheusRule resource for the Prometheus Operator.
 * @param baseUrl URL of this repository's files with a trailing slash, for the runbook_url of alerts
 */
export function prometheusRule(groups: readonly RuleGroup[], baseUrl: string) {
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "tapthru", labels: { "app.kubernetes.io/part-of": "tapthru" } },
    spec: {
      groups: groups.map((group) => ({
        ...group,
        rules: group.rules.map((rule) => withRunbook(rule, baseUrl)),
      })),
    },
  };
}

function withRunbook(rule: Rule, baseUrl: string): Rule {
  if (!("alert" in rule)) return rule;
  const { annotations } = rule;
  const runbook_url = annotations.runbook_url.replace(REPOSITORY, baseUrl);
  return { ...rule, annotations: { ...annotations, runbook_url } };
}
