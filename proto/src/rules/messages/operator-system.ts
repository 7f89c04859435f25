// Not in all.ts, which is in the first script.

// System
export const systemIntro = "What fails, and what is off. It is updated every ten seconds.";
export const systemFailed = "The state could not be loaded.";
export const notResponding = "Does not respond within a second.";

export const failedJobs = "Failed jobs";
export const failedJobsOf = (queue: string) => `Failed jobs of ${queue}`;
export const latestFailedJobs = (shown: string, all: string) => `The latest ${shown} of ${all}.`;
export const failedAfter = (time: string, count: number) => `${time}, after ${attempts(count)}`;
export const retryJob = "Retry";
export const retryJobOf = (id: string) => `Retry job ${id}`;
export const retryAll = "Retry all";
export const retryAllOf = (queue: string) => `Retry all failed jobs of ${queue}`;
export const retryQuestion = (queue: string, count: string) =>
  `Retry all ${count} failed jobs of ${queue}?`;
export const retryConsequence = "Each is tried again as often as a new job.";
export const retrying = "Retrying...";
export const discardJob = "Discard";
export const discardJobOf = (id: string) => `Discard job ${id}`;
export const discardAll = "Discard all";
export const discardAllOf = (queue: string) => `Discard all failed jobs of ${queue}`;
export const discardQuestion = (id: string) => `Discard job ${id}?`;
export const discardAllQuestion = (queue: string, count: string) =>
  `Discard all ${count} failed jobs of ${queue}?`;
export const discardConsequence = "What they were to do is not done.";
export const discarding = "Discarding...";
export const jobsRetried = (count: number) =>
  `${jobs(count)} ${count === 1 ? "waits" : "wait"} in the queue again.`;
export const jobsDiscarded = (count: number) =>
  `${jobs(count)} ${count === 1 ? "was" : "were"} discarded.`;
export const failedToChangeQueue = "The queue could not be changed. Please try again.";

export const failingItems = "Failing items";
export const failingItemsText =
  "Rows, users, domains or files that fail in a job. Each is tried again after a pause that grows to six hours; the others go on.";
export const failingItemsShown = (shown: string, all: string) => `The next ${shown} of ${all}.`;
export const failedItem = (since: string, attempts: string, next: string) =>
  `Since ${since}, ${attempts}, next attempt ${next}`;
export const attempts = (count: number) => `${count} ${count === 1 ? "attempt" : "attempts"}`;
export const retryItems = "Retry now";
export const itemsRetried = "They are tried again in the next round of their jobs.";
export const failedToRetryItems = "The items could not be retried. Please try again.";

export const features = "Features";
export const featuresText =
  "Each feature depends on the settings below it: where it is off, they are missing or turn it off. Emails are sent by the worker, whose SMTP_URL the api does not know.";
export const featureNames: Record<string, string | undefined> = {
  "sign-up": "Sign-up",
  "password-login": "Login with a password",
  "openid-connect": "Login with OpenID Connect",
  firebase: "Accounts of Firebase",
  emails: "Emails",
  domains: "Domains of users, and https",
  webhooks: "Webhooks",
  "page-reads": "Reading product pages",
  "creators-api": "Amazon's Creators API",
  "amazon-ads": "Amazon Ads",
  clickhouse: "Clicks in ClickHouse",
  "rate-limits": "Limits of requests",
};
export const isOn = "On";
export const isOff = "Off";
export const turnedOnBy = "Settings:";

function jobs(count: number): string {
  return count === 1 ? "1 job" : `${count} jobs`;
}
