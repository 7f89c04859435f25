import { expect, it } from "vitest";
import { acceptedIn, warningsIn } from "./deploy.ts";

const OUTPUT = `namespace/links created
configmap/tapthru-site-5b2 unchanged
Warning: autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated
deployment.apps/api configured
job.batch "migrate" deleted
Waiting for deployment "api" rollout to finish: 1 out of 2 new replicas have been updated...
`;

it("finds the objects that were accepted", () => {
  expect(acceptedIn(OUTPUT)).toEqual([
    "namespace/links",
    "configmap/tapthru-site-5b2",
    "deployment.apps/api",
  ]);
});

it("finds what the API server warns of", () => {
  expect(warningsIn(OUTPUT)).toEqual([
    "Warning: autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated",
  ]);
});
