// Not in all.ts, which is in the first script.

// System
export const systemIntro = "The state of this installation. It is updated every ten seconds.";
export const systemFailed = "The state of the installation could not be loaded.";
export const notResponding = "Does not respond within a second.";
export const installation = "Installation";
export const version = "Version";
export const environment = "Environment";
export const postgres = "Postgres";
export const postgresRoles = { primary: "Primary", standby: "Standby" } as const;
export const role = "Role";
export const size = "Size";
export const connections = "Connections";
export const migrations = "Migrations";
export const lastMigration = (count: string, name: string) => `${count}, the last one ${name}`;
export const countOf = (used: string, all: string) => `${used} of ${all}`;
export const redis = "Redis";
export const memory = "Memory";
export const evictionPolicy = "Eviction";
export const withoutMaximum = (used: string) => `${used}, no maximum`;
export const outbox = "Changes for the redirect";
export const outboxWaiting = (count: string, age: string | null) =>
  age === null ? count : `${count}, the oldest for ${age}`;
export const seconds = (count: string) => `${count} s`;
export const imports = "Imports";
export const importsNow = (running: string, waiting: string) =>
  `${running} running, ${waiting} not started by their users`;
export const productPages = "Product pages, by their last read";
export const noProductPages = "No product pages yet.";
export const work = "Work";

export const queues = "Queues";
export const idleQueues = (count: number) =>
  count === 1 ? "1 queue has nothing to do now." : `${count} queues have nothing to do now.`;
export const queueColumns = {
  failedCount: "Failed",
  waiting: "Waiting",
  running: "Running",
  delayed: "Delayed",
} as const;
export const job = "Job";
export const failedJobsOf = (queue: string) => `Failed jobs of ${queue}`;
export const failedJobs = (shown: string, all: string) => `The latest ${shown} of ${all}.`;
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
export const settings = "Settings";
export const settingsText =
  "Those of the api, without secrets. They are changed in the environment, and apply after a restart.";
export const showSettings = "Show settings";
export const hideSettings = "Hide settings";
export const secretIsSet = "set, secret";
export const notSet = "not set";

// Limits
export const limitsIntro =
  "Requests per minute. Raise a limit for an hour when visitors or users reach it for a good reason. The limits of the gateway, of each network address, stay as they are.";
export const limitsFailed = "The limits could not be loaded.";
export const limitsAreOff = "This installation has no limits: RATE_LIMITS is off.";
export const limitNames: Record<string, string | undefined> = {
  anonymousCreates: "Links created without an account, by all visitors together",
  generate: "Creating links",
  createLinks: "Creating many links",
  go: "Opening links of patterns",
  createByPattern: "Creating links by a pattern",
  checkLink: "Checking links",
  moveLinks: "Moving many links",
  createImports: "Importing links",
  importEarnings: "Importing reports of earnings",
  resolveLink: "Looking up short links of Amazon",
  metadata: "Titles and pictures of products",
  users: "Creating accounts",
  login: "Opening sessions",
  identity: "Logins and sign-ups",
  ownAccount: "Changing the account",
  exportLinks: "Exporting links",
  manageKeys: "API keys",
  changeWebhooks: "Webhooks",
  changeDomains: "Domains",
  apiKey: "All requests with a key",
  reports: "Reporting links",
  acmeChallenge: "Challenges of the certificate authority",
  otherApi: "All other requests of the api",
};
export const perAddress = (count: string) => `${count} from one network address`;
export const perVisitor = (count: string) => `${count} of one user, key or visitor`;
export const ofAll = (count: string, used: string) =>
  `${count} of all, ${used} used in this minute`;
export const raiseTo = (factor: number) => `×${factor}`;
export const raiseLimit = (name: string, factor: number) =>
  `Raise "${name}" ×${factor} for an hour`;
export const raisedUntil = (factor: number, time: string) => `Raised ×${factor} until ${time}`;
export const endRaise = "End";
export const endRaiseOf = (name: string) => `End the raise of "${name}"`;
export const limitRaised = (factor: number) => `The limit is raised ×${factor} for an hour.`;
export const raiseEnded = "The limit is as before.";
export const failedToRaise = "The limit could not be changed. Please try again.";

function jobs(count: number): string {
  return count === 1 ? "1 job" : `${count} jobs`;
}
