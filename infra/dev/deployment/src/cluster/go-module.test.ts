import { expect, it } from "vitest";
import { kubernetesGoMod } from "./go-module.ts";

it("replaces only the libraries in Kubernetes' own repository, with their published versions", () => {
  const text = kubernetesGoMod(
    {
      Replace: [
        { Old: { Path: "k8s.io/api" }, New: { Path: "./staging/src/k8s.io/api" } },
        { Old: { Path: "example.com/fork" }, New: { Path: "example.com/forked" } },
        { Old: { Path: "k8s.io/kubectl" }, New: { Path: "./staging/src/k8s.io/kubectl" } },
      ],
    },
    "v1.34.4",
    { "go.etcd.io/etcd/server/v3": "v3.6.4" },
  );

  expect(text).toContain(`require (
\tk8s.io/kubernetes v1.34.4
\tgo.etcd.io/etcd/server/v3 v3.6.4
)
`);
  expect(text).toContain(`replace (
\tk8s.io/api => k8s.io/api v0.34.4
\tk8s.io/kubectl => k8s.io/kubectl v0.34.4
)
`);
});
