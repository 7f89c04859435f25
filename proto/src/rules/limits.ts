const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KIB = 1_024;
const MIB = 1_024 * KIB;

// Links
/** The defaults of settings. */
export const LINKS_PER_ACCOUNT = 2_000_000;
export const LINKS_PER_UNCONFIRMED_ACCOUNT = 100;
export const ANONYMOUS_LINK_EXPIRY_DAYS = 7;
export const ANONYMOUS_LINK_EXPIRY_MS = ANONYMOUS_LINK_EXPIRY_DAYS * DAY_MS;
export const SHORT_LINK_PATH_PREFIX = "/l/";
/** The gateway passes https://host/name of an own domain to the redirect as /d/host/name. */
export const DOMAIN_PATH_PREFIX = "/d/";
export const TITLE_MAX_LENGTH = 200;
export const SLUG_MIN_LENGTH = 3;
export const SLUG_MAX_LENGTH = 50;
/** Codes of a link, earlier ones included. */
export const CODES_PER_LINK_MAX_COUNT = 20;
export const DESTINATIONS_KEPT = 50;
export const URL_MAX_BYTES = 4_096;
/** A visitor without an account who pastes the same address again within this time gets the same link. */
export const REPEATED_CREATE_WINDOW_MS = 10 * MINUTE_MS;
export const IDEMPOTENCY_KEY_LIFETIME_MS = DAY_MS;
export const LINKS_PAGE_DEFAULT_SIZE = 50;
export const LINKS_PAGE_MAX_SIZE = 200;
export const LINKS_IDS_MAX_COUNT = 10_000;
export const LINKS_SEARCH_MAX_LENGTH = 200;
/** Maximum number of links of a user that are put in order by taps or earnings. */
export const LINKS_SORTED_MAX_COUNT = 50_000;
export const LINKS_CREATE_MAX_COUNT = 100;
/** The most of Amazon's short links in a request: each is looked up at Amazon. */
export const SHORT_LINKS_CREATE_MAX_COUNT = 25;
export const LINKS_FIND_MAX_COUNT = 250;
/** Maximum number of links in one request that deletes, restores or labels links, or puts them on a channel. */
export const LINKS_BATCH_MAX_COUNT = 1_000;
export const DELETED_LINK_LIFETIME_MS = DAY_MS;
/** Maximum number of links that one request claims: those that a browser keeps, and the last one of a tab. */
export const LINKS_CLAIM_MAX_COUNT = 201;
export const LINKS_MOVE_MAX_COUNT = 100;
export const LABEL_NAME_MAX_LENGTH = 50;
export const LABELS_PER_USER_MAX_COUNT = 100;
export const LABELS_PER_LINK_MAX_COUNT = 10;
export const CHANNELS_MAX_COUNT = 50;
export const LINKS_EXPORT_SELECTED_MAX_COUNT = 500;
export const EXPIRING_SOON_MS = 7 * DAY_MS;
export const TAG_MAX_LENGTH = 64;
/** How long an abuse report is kept after it was last repeated. */
export const ABUSE_REPORT_LIFETIME_MS = 90 * DAY_MS;

// Imports
export const IMPORT_FILE_MAX_BYTES = 10 * MIB;
export const IMPORT_LINES_MAX_COUNT = 10_000;

// Earnings
export const EARNINGS_FILE_MAX_BYTES = 50 * MIB;
/** Rows of all files of an import. */
export const EARNINGS_ROWS_MAX_COUNT = 1_000_000;
/** How long an import that was not stored is kept, with its file. */
export const EARNINGS_PREVIEW_LIFETIME_MS = DAY_MS;
export const EARNINGS_IMPORTS_PAGE_SIZE = 100;
/** Rows of a table of earnings in one reply: at least the days of the longest period. */
export const EARNINGS_PAGE_MAX_SIZE = 800;
export const EARNINGS_CSV_MAX_COUNT = 20_000;
export const AMAZON_STORE_ID_MAX_LENGTH = 64;

// Accounts, sessions and claims
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 128;
export const PASSKEYS_MAX_COUNT = 20;
export const EMAIL_LINK_LIFETIME_MS = HOUR_MS;
export const INVITATION_LIFETIME_MS = 7 * DAY_MS;
export const INVITATIONS_MAX_COUNT = 100;

// Operator's console
export const LINKS_TAKE_DOWN_MAX_COUNT = 100;
/** The links of a user that are counted for a page, which then says "10,000+". */
export const COUNTED_LINKS_MAX = 10_000;
/** The newest links of a user, which are checked against Amazon's rules. */
export const REPORTED_LINKS_MAX = 20_000;
/** Characters of an own domain. With a name the short code fits the redirect's memory, which has a byte for the length. */
export const DOMAIN_MAX_LENGTH = 200;
export const DOMAINS_MAX_COUNT = 20;
/** How long the checks of a verified domain may fail before it is turned off. */
export const DOMAIN_GRACE_MS = 7 * DAY_MS;
export const USERNAME_MIN_LENGTH = 3;
export const USERNAME_MAX_LENGTH = 50;
export const DISPLAYED_NAME_MAX_LENGTH = 60;
export const CLAIM_COOKIE_LIFETIME_MS = 30 * DAY_MS;
export const KNOWN_BROWSER_LIFETIME_MS = 365 * DAY_MS;
export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 14 * DAY_MS;
/** How long the marker of a deleted account is kept: longer than any request takes. */
export const ACCOUNT_DELETION_RETENTION_MS = HOUR_MS;
/** Deleting the account and changing how one logs in require a login that is at most this old. */
export const RECENT_LOGIN_MS = 10 * MINUTE_MS;

// API keys
/** Keys of one user in an account, expired ones included. */
export const KEYS_MAX_COUNT = 20;
export const EXPIRED_KEY_LIFETIME_MS = 30 * DAY_MS;

// Shared clicks
export const SHARED_PAGES_MAX_COUNT = 50;
/** Links of a label whose clicks each request adds up. */
export const SHARED_LINKS_MAX_COUNT = 100;

// Members of accounts
/** Members of an account, its open invitations, and accounts of which a user is a member. */
export const MEMBERS_MAX_COUNT = 20;

// Webhooks
export const WEBHOOKS_MAX_COUNT = 10;
export const WEBHOOK_DELIVERY_LIFETIME_MS = 30 * DAY_MS;

// Screens
/** Maximum length of a range of clicks. Longer than clicks are kept by default. */
export const CLICKS_MAX_DAYS = 800;

// Opening the app
/** After this time the page stops waiting for the app and shows the choices. */
export const APP_OPENING_WAIT_MS = 1.5 * SECOND_MS;

// Requests
export const JSON_BODY_MAX_BYTES = 16 * KIB;
/**
 * Requests per minute: `address` per network address, `visitor` per user or claim token, `floor` per address in each
 * process while Redis is unavailable.
 */
export const RATE_LIMITS_PER_MINUTE = {
  generate: { address: 60, visitor: 120, floor: 30 },
  createLinks: { address: 120, visitor: 60, floor: 30 },
  findLinks: { address: 200, visitor: 100, floor: 50 },
  /** Checks of a link before its turn. */
  checkLink: { address: 30, visitor: 15, floor: 10 },
  /** The largest selection of the web app needs LINKS_IDS_MAX_COUNT by LINKS_MOVE_MAX_COUNT requests. */
  moveLinks: { address: 200, visitor: 100, floor: 50 },
  /** Also answers to questions about a file. */
  importEarnings: { address: 20, visitor: 10, floor: 5 },
  resolveLink: { address: 60, visitor: 60, floor: 20 },
  metadata: { address: 60, visitor: 60, floor: 20 },
  /** Creation of an account. */
  users: { address: 60, visitor: 10, floor: 20 },
  /** `visitor`: per account. */
  login: { address: 60, visitor: 10, floor: 20 },
  /**
   * Sign-ups, logins, codes, password resets and confirmations at the built-in identity provider. `address`: also all guesses of the
   * password of one account, and requests of a user who is logged in. `visitor`: guesses from one network, a known browser, and
   * passwords of a user who is logged in.
   */
  identity: { address: 30, visitor: 10, floor: 10 },
  outcome: { address: 30, visitor: null, floor: 30 },
  /** Export and deletion of an account, creation of an API key. */
  ownAccount: { address: 20, visitor: 10, floor: 10 },
  exportLinks: { address: 20, visitor: 10, floor: 10 },
  manageKeys: { address: 60, visitor: 60, floor: 20 },
  readSharedPage: { address: 120, visitor: 120, floor: 40 },
  changeWebhooks: { address: 60, visitor: 30, floor: 20 },
  changeDomains: { address: 60, visitor: 30, floor: 20 },
  /** All calls with an API key. `address`: those with an invalid one. */
  apiKey: { address: 30, visitor: 300, floor: 10 },
  abuseReports: { address: 5, visitor: null, floor: 5 },
  /** The certificate authority checks all domains from a few addresses. */
  acmeChallenge: { address: 3_000, visitor: null, floor: 3_000 },
  otherApi: { address: 600, visitor: 600, floor: 300 },
  unknownCode: { address: 120, visitor: null, floor: 120 },
} as const;
export const ANONYMOUS_CREATES_PER_MINUTE = 600;
export const VISITS_IN_PROGRESS_MAX = 512;

// Load
/** Concurrent requests of one api. More would not raise its throughput, only delay all responses. */
export const MAX_REQUESTS_IN_PROGRESS = 64;

// Public page about app opening
export const APP_OPENING_STATUS_DAYS = 30;
export const APP_OPENING_MIN_REPORTS = 50;

// Freshness
/** How long a redirect service that started without Postgres serves from Redis; the maximum age of its data. */
export const REDIRECTS_UP_TO_DATE_TTL_MS = 6 * HOUR_MS;

// Requests to Amazon
export const FETCH_MAX_REQUESTS = 5;
/** Deadline of all redirects together. */
export const FETCH_DEADLINE_MS = 5 * SECOND_MS;
/** Maximum size after decompression. */
export const FETCH_MAX_BYTES = 2 * MIB;
