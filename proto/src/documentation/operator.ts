import type * as activityCalls from "../http/operator/activity.ts";
import type * as domainsCalls from "../http/operator/domains.ts";
import type * as linksCalls from "../http/operator/links.ts";
import type { OperatorLink } from "../http/operator/links.ts";
import type * as reportsCalls from "../http/operator/reports.ts";
import type { ReportedLink } from "../http/operator/reports.ts";
import type * as signUpCalls from "../http/operator/sign-up.ts";
import type * as systemCalls from "../http/operator/system.ts";
import type * as usersCalls from "../http/operator/users.ts";
import type { OperatorUser, UserDetails } from "../http/operator/users.ts";
import { EXAMPLE_ACTIVITY, EXAMPLE_ACTIVITY_CSV } from "./activity.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import {
  EXAMPLE_BASE_URL,
  EXAMPLE_CODE,
  EXAMPLE_DOMAIN,
  EXAMPLE_HOST,
  EXAMPLE_LINK,
  EXAMPLE_USER,
} from "./example-values.ts";

const { id, username, email, createdAt } = EXAMPLE_USER;
const owner = { id, username };
const ADDRESS_HASH = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";
const [ACTIVITY_COLUMNS, ACTIVITY_ROW] = EXAMPLE_ACTIVITY_CSV.split("\n");
const ACTIVITY_CSV = `${ACTIVITY_COLUMNS},user,owner,address
${ACTIVITY_ROW},${username},${username},${ADDRESS_HASH}
`;
const params = { id: String(id) };

const REPORTED: ReportedLink = {
  shortCode: EXAMPLE_CODE,
  shortUrl: EXAMPLE_LINK.shortUrl,
  webUrl: EXAMPLE_LINK.webUrl,
  title: EXAMPLE_LINK.title,
  imageUrl: EXAMPLE_LINK.imageUrl,
  createdAt: EXAMPLE_LINK.createdAt,
  owner,
  state: "open",
  counts: { misleading: 2, spam: 1 },
  firstReportedAt: "2026-11-26T08:00:00.000Z",
  lastReportedAt: "2026-11-26T09:00:00.000Z",
  decidedAt: null,
};

const LINK: OperatorLink = {
  id: EXAMPLE_LINK.id,
  shortCode: EXAMPLE_CODE,
  shortUrl: EXAMPLE_LINK.shortUrl,
  webUrl: EXAMPLE_LINK.webUrl,
  title: EXAMPLE_LINK.title,
  createdAt: EXAMPLE_LINK.createdAt,
  expiresAt: null,
  owner,
  takenDownAt: null,
  addressHash: ADDRESS_HASH,
};

const USER: OperatorUser = {
  id,
  username,
  email,
  createdAt,
  isOperator: false,
  state: "enabled",
  linkCount: 120,
  keyCount: 1,
  lastLoginAt: "2026-11-26T07:00:00.000Z",
};

const DETAILS: UserDetails = {
  ...USER,
  keys: [{ name: "Nightly script", start: "tt_4fQz", lastUsedAt: null }],
  domains: [EXAMPLE_HOST],
  sessionCount: 2,
  hasTwoFactor: false,
  storage: { clickRows: 4_200, importLines: 0, earningsRows: 90 },
};

const DOMAIN = {
  id: EXAMPLE_DOMAIN.id,
  host: EXAMPLE_HOST,
  owner,
  state: EXAMPLE_DOMAIN.state,
  problem: EXAMPLE_DOMAIN.problem,
  linkCount: EXAMPLE_DOMAIN.linkCount,
  checkedAt: EXAMPLE_DOMAIN.checkedAt,
  nextCheckAt: "2026-11-26T16:00:00.000Z",
  certificateExpiresAt: EXAMPLE_DOMAIN.certificateExpiresAt,
};

const INVITATION = {
  id: 3,
  email,
  createdAt: "2026-11-26T08:00:00.000Z",
  expiresAt: "2026-12-03T08:00:00.000Z",
};

const NOT_WITH_KEY =
  "The user must not be an operator, and the login of the session at most ten minutes old: `POST /api/sessions` renews it.";

type OperatorCalls = typeof activityCalls &
  typeof domainsCalls &
  typeof linksCalls &
  typeof reportsCalls &
  typeof signUpCalls &
  typeof systemCalls &
  typeof usersCalls;

export const operatorDocumentation: DocumentationOf<OperatorCalls> = {
  listReportedLinks: {
    tag: "Operator",
    summary: "List reported links",
    description:
      "`state=open`, the default: undecided, the longest waiting first. `state=decided`: the latest decision first.",
    errors: ["not-found"],
    example: { query: { state: "open" }, replies: { 200: { links: [REPORTED], openCount: 1 } } },
  },
  decideReports: {
    tag: "Operator",
    summary: "Decide about a reported link",
    description:
      "`taken-down`: visitors get 410. `dismissed`: the link stays. `open` undoes either.",
    errors: ["link-not-found"],
    example: {
      params: { shortCode: EXAMPLE_CODE },
      body: { state: "taken-down" },
      replies: {
        200: { ...REPORTED, state: "taken-down", decidedAt: "2026-11-26T09:05:00.000Z" },
      },
    },
  },
  listAllLinks: {
    tag: "Operator",
    summary: "Search the links of all users",
    description:
      "`q` is the start of a short code, a part of the destination, a tag, a username or an email address. `nextBefore` is `before` of the next page.",
    errors: ["not-found"],
    example: { query: { q: "anna-21" }, replies: { 200: { links: [LINK], nextBefore: null } } },
  },
  takeDownLinks: {
    tag: "Operator",
    summary: "Take links down, or let them work again",
    description:
      "Some links are changed at once: 200, with the codes of those that changed. All links of a user, or from a network address, are changed by the worker within seconds: 202, with their number (null: more than 10,000, or it could not be found in time).",
    errors: ["not-found"],
    example: {
      body: { links: { shortCodes: [EXAMPLE_CODE] }, isTakenDown: true },
      replies: { 200: { count: 1, shortCodes: [EXAMPLE_CODE] }, 202: { count: 120 } },
    },
  },
  listUsers: {
    tag: "Operator",
    summary: "Search users",
    description: "`q` is a part of a username or email address, a short link, or a domain.",
    errors: ["not-found"],
    example: { query: { q: "anna" }, replies: { 200: { users: [USER], nextBefore: null } } },
  },
  getUserDetails: {
    tag: "Operator",
    summary: "Get a user",
    errors: [],
    example: { params, replies: { 200: DETAILS } },
  },
  setUserState: {
    tag: "Operator",
    summary: "Disable or enable a user",
    description:
      "`disabled`: the user is logged out, cannot log in, and their keys do not work. `blocked`: their links give 410, too.",
    errors: ["own-account"],
    example: {
      params,
      body: { state: "disabled" },
      replies: { 200: {} },
    },
  },
  endUserSessions: {
    tag: "Operator",
    summary: "Log a user out everywhere",
    errors: [],
    example: { params, replies: { 200: { ended: 2 } } },
  },
  resetUserTwoFactor: {
    tag: "Operator",
    summary: "Remove the second factor of a user",
    description: `Also removes their passkeys. ${NOT_WITH_KEY}`,
    access: [["session"]],
    errors: [
      "key-not-allowed",
      "operator-account",
      "own-account",
      "recent-login-required",
      "second-factor-elsewhere",
    ],
    example: { params, replies: { 200: {} } },
  },
  deleteUser: {
    tag: "Operator",
    summary: "Delete a user",
    description: `Deletes the account with its links, as the user themselves could. ${NOT_WITH_KEY}`,
    access: [["session"]],
    errors: ["key-not-allowed", "operator-account", "own-account", "recent-login-required"],
    example: { params, body: { username }, replies: { 202: {} } },
  },
  listAllDomains: {
    tag: "Operator",
    summary: "List the domains of all users",
    description: "Those with a problem first.",
    errors: ["not-found"],
    example: {
      query: { q: "anna" },
      replies: { 200: { hasDomains: true, domains: [DOMAIN] } },
    },
  },
  retryDomain: {
    tag: "Operator",
    summary: "Check a domain now",
    description: "Also orders its certificate, if that is due.",
    errors: ["domain-not-found"],
    example: { params: { userId: String(id), host: EXAMPLE_HOST }, replies: { 202: DOMAIN } },
  },
  getSystem: {
    tag: "Operator",
    summary: "Get what fails, and what is off",
    description: "What does not respond within a second is null.",
    errors: ["not-found"],
    example: {
      replies: {
        200: {
          failedJobs: [
            {
              job: "scrape-metadata",
              count: 1,
              latest: [
                {
                  id: "1204",
                  failedAt: "2026-11-26T08:00:00.000Z",
                  attempts: 5,
                  reason: "The page did not respond in time",
                },
              ],
            },
          ],
          failedItems: {
            count: 1,
            items: [
              {
                kind: "check-domains",
                key: "7",
                error: "value is out of range",
                attempts: 3,
                firstFailedAt: "2026-11-26T08:00:00.000Z",
                retryAt: "2026-11-26T08:07:00.000Z",
              },
            ],
          },
          features: [{ name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] }],
        },
      },
    },
  },
  retryItems: {
    tag: "Operator",
    summary: "Retry failed items now",
    description: "Each is tried again in the next round of its job.",
    errors: ["not-found"],
    example: { replies: { 200: { count: 1 } } },
  },
  retryJobs: {
    tag: "Operator",
    summary: "Queue failed jobs again",
    errors: [],
    example: {
      params: { job: "scrape-metadata" },
      body: { id: "1204" },
      replies: { 200: { count: 1 } },
    },
  },
  discardJobs: {
    tag: "Operator",
    summary: "Delete failed jobs",
    errors: [],
    example: {
      params: { job: "scrape-metadata" },
      body: { id: "1204" },
      replies: { 200: { count: 1 } },
    },
  },
  listAllActivity: {
    tag: "Operator",
    summary: "List changes in the installation",
    description: "`addressHash` is equal for requests from the same network address.",
    errors: ["not-found"],
    otherTypes: { "text/csv": ACTIVITY_CSV },
    example: {
      query: { action: "link" },
      replies: {
        200: {
          activity: [
            {
              ...EXAMPLE_ACTIVITY,
              actorUsername: username,
              ownerUsername: username,
              addressHash: ADDRESS_HASH,
            },
          ],
          nextBefore: null,
        },
      },
    },
  },
  getLoginSettings: {
    tag: "Operator",
    summary: "Get how people log in",
    errors: ["not-found"],
    example: {
      replies: {
        200: {
          provider: "built-in",
          signUp: "invitation",
          sendsEmail: true,
          openIdConnect: null,
          openIdCallbackUrl: `${EXAMPLE_BASE_URL}/api/auth/open-id/callback`,
        },
      },
    },
  },
  listInvitations: {
    tag: "Operator",
    summary: "List open invitations",
    errors: ["not-found"],
    example: { replies: { 200: [INVITATION] } },
  },
  createInvitation: {
    tag: "Operator",
    summary: "Invite a person",
    description:
      "Only this reply contains the link. It is sent to `email` where the installation sends email.",
    errors: ["not-found", "too-many-invitations"],
    example: {
      body: { email },
      replies: {
        201: {
          ...INVITATION,
          url: `${EXAMPLE_BASE_URL}/signup?invitation=Xo9sJtqk3m2fVb7cLr5aQw`,
          isSent: true,
        },
      },
    },
  },
  deleteInvitation: {
    tag: "Operator",
    summary: "Delete an invitation",
    errors: [],
    example: { params: { id: "3" }, replies: { 200: {} } },
  },
};
