import { readdirSync, readFileSync } from "node:fs";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { CHART, find, namesOf, render } from "./chart.ts";

const REPOSITORY = "{{ $externalLabels.repository }}";

skipWithout("helm");
const manifests = render("production");

it("Prometheus scrapes every service under the job name of the rules", () => {
  const jobs = namesOf(manifests, "ServiceMonitor").map((name) => [
    name,
    find(manifests, "ServiceMonitor", name)?.spec?.endpoints?.[0]?.relabelings[0],
  ]);

  expect(Object.fromEntries(jobs)).toEqual({
    api: { targetLabel: "job", replacement: "tapthru-api" },
    redirect: { targetLabel: "job", replacement: "tapthru-redirect" },
    worker: { targetLabel: "job", replacement: "tapthru-worker" },
    "gateway-metrics": { targetLabel: "job", replacement: "tapthru-gateway-metrics" },
  });
});

it("Prometheus has every rule, with an absolute link to the runbook", () => {
  const groups = manifests.filter(({ kind }) => kind === "PrometheusRule").flatMap(({ spec }) => spec?.groups ?? []);
  const url = "https://github.com/example/tapthru/blob/main/";
  const files = readdirSync(`${CHART}/files/rules`).map((file) =>
    readFileSync(`${CHART}/files/rules/${file}`, "utf8").replaceAll(REPOSITORY, url),
  );

  expect(groups).toEqual(files.flatMap((file) => parse(file).groups));
  for (const { alert, annotations } of groups.flatMap(({ rules }) => rules)) {
    if (alert) expect(annotations?.runbook_url, alert).toContain(`${url}docs/runbook.md#`);
  }
});
