import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COUNTED_ROUTES } from "@tapthru/gateway/nginx/counted-routes";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { editedProduction, KUSTOMIZE, type Manifest, manifestsOf } from "./manifests.ts";

const NAMESPACE = "links";

const find = (manifests: Manifest[], kind: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === "redirect");

skipWithout("kustomize", KUSTOMIZE === null);

function withComponent(): Manifest[] {
  return editedProduction((text) =>
    text
      .replace("namespace: tapthru", `namespace: ${NAMESPACE}`)
      .replace("# - ../../components/keda-redirect", "- ../../components/keda-redirect"),
  );
}

it("replaces the autoscaler of the redirects by one of the same limits and pace", () => {
  const before = find(manifestsOf("production"), "HorizontalPodAutoscaler")?.spec;
  const manifests = withComponent();
  const after = find(manifests, "ScaledObject")?.spec;

  expect(find(manifests, "HorizontalPodAutoscaler")).toBeUndefined();
  expect(after?.advanced?.horizontalPodAutoscalerConfig).toEqual({
    name: "redirect",
    behavior: before?.behavior,
  });
  expect([after?.minReplicaCount, after?.maxReplicaCount]).toEqual([
    before?.minReplicas,
    before?.maxReplicas,
  ]);
  expect(after?.triggers?.[0]).toEqual({
    type: "cpu",
    metricType: before?.metrics?.[0]?.resource.target.type,
    metadata: { value: before?.metrics?.[0]?.resource.target.averageValue },
  });
});

describe("the query of requests in progress", () => {
  skipWithout("promtool");

  it("adds the routes of links in this installation", async () => {
    const query = find(withComponent(), "ScaledObject")?.spec?.triggers?.[1]?.metadata.query;
    const series = (installation: string, route: string, secondsPerSecond: number) => ({
      series: `tapthru_gateway_upstream_duration_seconds_sum{installation="${installation}", route="${route}", method="GET", status="302"}`,
      values: `0+${secondsPerSecond * 10}x30`,
    });
    const links = COUNTED_ROUTES.filter(({ area }) => area === "link").map(({ route }) => route);
    const folder = mkdtempSync(join(tmpdir(), "tapthru-scaling-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "query.yml");
    writeFileSync(
      file,
      stringify({
        tests: [
          {
            interval: "10s",
            input_series: [
              ...links.map((route) => series(NAMESPACE, route, 40)),
              series(NAMESPACE, "/api/*", 500),
              series("another", "/l/:code", 500),
            ],
            promql_expr_test: [
              { expr: query, eval_time: "5m", exp_samples: [{ labels: "{}", value: 80 }] },
            ],
          },
        ],
      }),
    );

    expect(links).toHaveLength(2);
    await execa(String(findOnPath("promtool")), ["test", "rules", file]);
  });
});
