#!/bin/sh
# k8s/deploy.sh <overlay>: applies the overlay to the current cluster of kubectl: first all objects without
# pods, then the migration and, after it has completed, the services. A further region has no migration. Run it for each
# release.
set -eu
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
kubectl kustomize "$1" >"$manifests"
select_from_manifests() { kubectl create --dry-run=client --filename="$manifests" "$@"; }
namespace=$(select_from_manifests --selector=phase=services,app.kubernetes.io/name=redirect \
  --output='jsonpath={.metadata.namespace}')
kube() { kubectl --namespace="$namespace" "$@"; }

migrate() {
  # A Job's template is immutable: each release gets a new Job.
  kube delete job migrate --ignore-not-found
  kubectl apply -f "$manifests" -l phase=migrate
  failed='{.status.conditions[?(@.type=="Failed")].status}'
  # The job fails after 15 minutes.
  until kube wait --for=condition=complete --timeout=5s job/migrate 2>/dev/null; do
    has_failed=$(kube get job migrate -o "jsonpath=$failed")
    [ "$has_failed" = True ] || continue
    kube logs job/migrate --tail=50 || true
    echo "The migration failed. No service was changed." >&2
    exit 1
  done
}

kubectl apply -f "$manifests" -l 'phase notin (migrate, services)'
if grep -q '^kind: Job$' "$manifests"; then migrate; fi
kubectl apply -f "$manifests" -l phase=services
for deployment in $(select_from_manifests --selector=phase=services --output=name); do
  kube rollout status "$deployment" --timeout=10m
done
