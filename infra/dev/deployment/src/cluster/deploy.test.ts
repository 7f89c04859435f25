import { expect, it } from "vitest";
import { findAcceptedObjects, findWarnings } from "./deploy.ts";

const OUTPUT = `namespace/links created
configmap/tapthru-site-5b2 unchanged
Warning: autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated
deployment.apps/api configured
job.batch "migrate" deleted
Waiting for deployment "api" rollout to finish: 1 out of 2 new replicas have been updated...
`;

it("returns the accepted objects", () => {
  expect(findAcceptedObjects(OUTPUT)).toEqual([
    "namespace/links",
    "configmap/tapthru-site-5b2",
    "deployment.apps/api",
  ]);
});

it("returns the warnings of the API server", () => {
  expect(findWarnings(OUTPUT)).toEqual([
    "Warning: autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated",
  ]);
});
