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
if ! kubectl -n tapthru wait --for=condition=complete --timeout=15m job/migrate; then
  kubectl -n tapthru logs job/migrate --tail=50
  echo "The schema was not brought up to date, and no service was touched." >&2
  exit 1
fi
kubectl apply -f "$manifests" -l phase=services
for service in redirect api worker gateway; do
  kubectl -n tapthru rollout status "deployment/$service" --timeout=10m
done
