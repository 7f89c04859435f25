#!/bin/sh
# k8s/deploy.sh <overlay>: brings the cluster that kubectl points at to what the overlay says; the schema
# first, and the services only once that is done. Run it again for each release.
set -eu
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
kubectl kustomize "$1" >"$manifests"

kubectl apply -f "$manifests" -l 'phase notin (migrate, services)'
kubectl -n tapthru delete job migrate --ignore-not-found
kubectl apply -f "$manifests" -l phase=migrate
failed='{.status.conditions[?(@.type=="Failed")].status}'
# The job itself gives up after 15 minutes.
until kubectl -n tapthru wait --for=condition=complete --timeout=5s job/migrate 2>/dev/null; do
  has_failed=$(kubectl -n tapthru get job migrate -o "jsonpath=$failed")
  [ "$has_failed" = True ] || continue
  kubectl -n tapthru logs job/migrate --tail=50 || true
  echo "The schema was not brought up to date, and no service was touched." >&2
  exit 1
done
kubectl apply -f "$manifests" -l phase=services
for service in redirect api worker gateway; do
  kubectl -n tapthru rollout status "deployment/$service" --timeout=10m
done
