import { createUser, getUser, login, logout, updateUser } from "./accounts.ts";
import {
  deleteAmazonAdsConnection,
  finishAmazonAdsConnection,
  getAmazonAdsAuthUrl,
  getAmazonAdsConnection,
} from "./amazon-ads.ts";
import { getAppOpeningStatus } from "./app-opening-status.ts";
import type { Call } from "./call.ts";
import { getClicks, getLinkClicks, listLinkPeople } from "./clicks.ts";
import { createLink, createLinks } from "./create-links.ts";
import { getDigest, saveDigest } from "./digest.ts";
import { exportLinks } from "./export.ts";
import { generate } from "./generate.ts";
import {
  cancelImport,
  createImport,
  deleteImport,
  getImport,
  listImports,
  startImport,
} from "./imports.ts";
import { createKey, listKeyEvents, listKeys, revokeKey } from "./keys.ts";
import { createLabel, deleteLabel, labelLinks, listLabels, updateLabel } from "./labels.ts";
import { getLinkHistory } from "./link-history.ts";
import {
  checkLink,
  deleteLink,
  deleteLinks,
  getLink,
  listLinkIds,
  listLinkStores,
  listLinks,
  updateLink,
} from "./links.ts";
import { metadata } from "./metadata.ts";
import { deleteAccount, exportAccount } from "./own-account.ts";
import {
  createPattern,
  deletePattern,
  deletePatternLinks,
  go,
  listPatterns,
  updatePattern,
} from "./patterns.ts";
import { reportLink } from "./reports.ts";
import { resolveLink } from "./resolve-link.ts";
import {
  getLinkRouting,
  getRoutingSettings,
  saveLinkRouting,
  saveRoutingSettings,
} from "./routing.ts";
import { endAllSessions, endSession, listSessions, replaceSessions } from "./sessions.ts";
import {
  deleteStoreTag,
  listOneLinkStores,
  listStoreTags,
  saveOneLinkStore,
  saveStoreTag,
} from "./stores.ts";
import { visitor } from "./visitor.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  renewWebhookSecret,
  replayWebhookDelivery,
  updateWebhook,
} from "./webhooks.ts";

/** Every call of the api, by the operation id in the OpenAPI document. proto/src/documentation describes each. */
export const CALLS = {
  cancelImport,
  checkLink,
  createImport,
  createLink,
  createLinks,
  createPattern,
  createKey,
  createLabel,
  createUser,
  createWebhook,
  deleteAccount,
  deleteAmazonAdsConnection,
  deleteLabel,
  deleteImport,
  deleteLink,
  deleteLinks,
  deletePattern,
  deletePatternLinks,
  deleteStoreTag,
  deleteWebhook,
  endAllSessions,
  endSession,
  exportAccount,
  exportLinks,
  finishAmazonAdsConnection,
  generate,
  getAmazonAdsAuthUrl,
  getAmazonAdsConnection,
  getAppOpeningStatus,
  getClicks,
  getDigest,
  getImport,
  getLink,
  getLinkClicks,
  getLinkHistory,
  getLinkRouting,
  getRoutingSettings,
  getUser,
  go,
  listKeyEvents,
  listKeys,
  labelLinks,
  listLabels,
  listImports,
  listLinkPeople,
  listLinkIds,
  listLinkStores,
  listLinks,
  listOneLinkStores,
  listPatterns,
  listSessions,
  listStoreTags,
  listWebhookDeliveries,
  listWebhooks,
  login,
  logout,
  metadata,
  renewWebhookSecret,
  replaceSessions,
  replayWebhookDelivery,
  reportLink,
  resolveLink,
  revokeKey,
  saveDigest,
  saveLinkRouting,
  saveOneLinkStore,
  saveRoutingSettings,
  saveStoreTag,
  updateLabel,
  startImport,
  updateLink,
  updatePattern,
  updateUser,
  updateWebhook,
  visitor,
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof CALLS;
