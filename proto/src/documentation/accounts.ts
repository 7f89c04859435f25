import type * as accountsCalls from "../http/accounts.ts";
import type * as ownAccountCalls from "../http/own-account.ts";
import { EXAMPLE_ACTIVITY } from "./activity.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import {
  EXAMPLE_CHANNEL,
  EXAMPLE_CONNECTION,
  EXAMPLE_DOMAIN,
  EXAMPLE_KEY,
  EXAMPLE_LINK,
  EXAMPLE_UID,
  EXAMPLE_USER,
  EXAMPLE_WEBHOOK,
} from "./example-values.ts";

const firebaseUid = EXAMPLE_UID;
const { email, username } = EXAMPLE_USER;

export const accountsDocumentation: DocumentationOf<typeof accountsCalls & typeof ownAccountCalls> =
  {
    createUser: {
      tag: "Accounts",
      summary: "Create a user",
      description:
        "Creates the user of an identity. Repeated requests return the existing user unchanged with 200. `firebaseUid`, the id of the identity, and `email` must be those of the token. With 409 a problem names the taken field in `field`; an address counts as taken if both users have verified it. Where sign-up is by invitation, `invitation` is the token of the invitation's link.",
      access: [["firebaseToken"]],
      errors: [
        "account-deleted",
        "email-taken",
        "invitation-invalid",
        "not-allowed",
        "sign-up-closed",
        "username-taken",
      ],
      example: {
        body: { firebaseUid, email, username },
        replies: { 200: EXAMPLE_USER, 201: EXAMPLE_USER },
      },
    },
    getUser: {
      tag: "Accounts",
      summary: "Get the own user",
      description: "Other users are reported as not found.",
      access: [["firebaseToken"], ["session"]],
      errors: ["account-not-found"],
      example: { params: { firebaseUid }, replies: { 200: EXAMPLE_USER } },
    },
    updateUser: {
      tag: "Accounts",
      summary: "Change the username",
      description:
        "The email address is changed at the identity provider instead; the user's follows at the next login.",
      errors: ["account-not-found", "username-taken"],
      example: { params: { firebaseUid }, body: { username }, replies: { 200: EXAMPLE_USER } },
    },
    login: {
      tag: "Sessions",
      summary: "Log in",
      description:
        "Creates a session for the holder of the identity's token. A session of the same user that exists already is kept.",
      access: [["firebaseToken"]],
      errors: ["account-disabled", "account-not-found", "not-allowed"],
      replyHeaders: {
        "Set-Cookie": {
          description: "The cookies of the session.",
          example: "__Host-session=…; path=/; secure; httponly; samesite=lax",
        },
      },
      example: { body: { firebaseUid }, replies: { 200: EXAMPLE_USER } },
    },
    logout: {
      tag: "Sessions",
      summary: "Log out",
      description: "Ends the session of the request if there is one.",
      access: [[], ["session"]],
      errors: [],
      example: { replies: { 200: {} } },
    },
    exportAccount: {
      tag: "Accounts",
      summary: "Export the account",
      description: "Everything stored about the user except credentials, as a file.",
      errors: [],
      replyHeaders: {
        "Content-Disposition": {
          description: "Names the file.",
          example: 'attachment; filename="account.json"',
        },
      },
      example: {
        replies: {
          200: {
            exportedAt: "2026-11-21T12:00:00.000Z",
            user: { ...EXAMPLE_USER, firebaseUid },
            sessions: [
              {
                createdAt: "2026-11-21T08:00:00.000Z",
                lastSeenAt: "2026-11-21T11:58:00.000Z",
                userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
              },
            ],
            amazonAds: EXAMPLE_CONNECTION,
            domains: [EXAMPLE_DOMAIN],
            linkPatterns: [],
            imports: [],
            storeTags: [{ marketplace: "de", tag: "anna-21" }],
            channels: [EXAMPLE_CHANNEL],
            oneLinkStores: ["fr"],
            routing: { isOn: true, fallback: "original", assistantsGetTag: false },
            digest: { isOn: true, emailIsVerified: true, lastSentAt: "2026-11-19T08:00:00.000Z" },
            apiKeys: [EXAMPLE_KEY],
            webhooks: [EXAMPLE_WEBHOOK],
            labels: EXAMPLE_LINK.labels,
            earningsRates: { currency: "EUR", rates: [] },
            earningsImports: [],
            activity: [EXAMPLE_ACTIVITY],
            earnings: [
              {
                importId: "0f6f1c54-5b0d-4b0c-9a53-0d6d9d1d7a11",
                report: "earnings",
                marketplace: "de",
                storeId: "",
                currency: "EUR",
                day: "2026-11-20",
                tag: "anna-21",
                asin: "B0ZZ1Y2X3W",
                productName: "Camping mug",
                isDirect: true,
                earnings: 92,
                revenue: 2300,
                ordered: null,
                shipped: 1,
                returned: 0,
                clicks: null,
              },
            ],
            links: [
              {
                ...EXAMPLE_LINK,
                history: { destinations: [], shortCodes: [] },
                clicks: [{ day: "2026-11-20", counts: { person: 12, bot: 1 } }],
              },
            ],
          },
        },
      },
    },
    deleteAccount: {
      tag: "Accounts",
      summary: "Delete the account",
      description:
        "Deletes the user, their links, sessions and connections, and their identity. `email` must be the address of the account, and the login of the session at most ten minutes old: `POST /api/sessions` renews it. The last operator cannot delete their account while there are other users. Success means that the deletion is stored and will be completed even after failures.",
      errors: ["email-differs", "last-operator", "recent-login-required"],
      example: { body: { email }, replies: { 200: {} } },
    },
  };
