import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOnPath } from "@tapthru/stack/programs/on-path";
import { skipWithout } from "@tapthru/stack/testing/skip-tests";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { CHART, EXAMPLES, HELM, type Manifest, render } from "./chart.ts";

/** From PyPI; includes the schemas of Kubernetes' built-in kinds. */
const VALIDATOR = "kubernetes-validate";

/** The validator has no schemas of custom resources. */
const isOfKubernetes = ({ apiVersion }: Manifest) =>
  /^(v1|[a-z]+\/v\d+|[a-z.]+\.k8s\.io\/v1)$/.test(apiVersion) && !apiVersion.startsWith("gateway.");

describe.each(EXAMPLES)("the values of %s", (example) => {
  skipWithout("helm");

  it("pass helm lint", async () => {
    await execa(String(HELM), ["lint", "--strict", CHART, "--values", `${CHART}/examples/${example}.yaml`]);
  });

  describe("the schemas of the oldest Kubernetes", () => {
    skipWithout(VALIDATOR);

    it("accept all manifests", async () => {
      const further = [
        "privateCaConfigMap=ca",
        "appOpeningConfigMap=table",
        "backup.schedule=@daily",
        ...(example === "local" ? ["ingress.kind=ingress", "ingress.className=example"] : []),
      ];
      const manifests = render(example, ...further);
      const folder = mkdtempSync(join(tmpdir(), "tapthru-manifests-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const files = manifests.filter(isOfKubernetes).map((manifest, i) => {
        const file = join(folder, `${i}-${manifest.kind}.json`);
        writeFileSync(file, JSON.stringify(manifest));
        return file;
      });

      expect(files.length).toBeGreaterThan(15);
      const args = ["--strict", "--quiet", "--kubernetes-version=1.30", ...files];
      const { stdout } = await execa(String(findOnPath(VALIDATOR)), args);
      expect(stdout).toBe("");
    }, 600_000);
  });
});

describe("values", () => {
  skipWithout("helm");

  it.each([
    ["redirect.replica=3", "additional properties 'replica' not allowed"],
    ["api.env.CLICKS_KEPT_MONTHS=3", "got number, want string"],
    ["publicBaseUrl=", "'' does not match pattern"],
    ["network.redis.networks=null", "Set network.redis.networks to the networks (CIDR) of your Redis, or peers"],
    ["tls.enabled=true", "With tls.enabled set ingress.kind to none"],
    ["ingress.className=", "Set ingress.className to a name from kubectl get gatewayclass."],
  ])("with %s are refused", (value, message) => {
    expect(() => render("production", value)).toThrow(message);
  });
});
