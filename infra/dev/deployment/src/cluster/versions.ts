/** Versions of the cluster's programs, downloaded from the Go module proxy. */
export const KUBERNETES = "v1.34.4";
export const ETCD = "v3.6.4";
export const KWOK = "v0.7.0";

/** Modules with custom resource definitions, and the folders of these files. */
export const DEFINITIONS = [
  { module: "sigs.k8s.io/gateway-api@v1.6.3", folder: "config/crd/standard" },
  { module: "github.com/kedacore/keda/v2@v2.21.0", folder: "config/crd/bases" },
  {
    module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    folder: "example/prometheus-operator-crd",
  },
] as const;
