import type { CALLS, CallName } from "../http/calls.ts";
import * as accounts from "./accounts.ts";
import * as amazonAds from "./amazon-ads.ts";
import type { CallDocumentation } from "./call-documentation.ts";
import * as clicks from "./clicks.ts";
import * as createdLinks from "./create-links.ts";
import * as digest from "./digest.ts";
import * as linksExport from "./export.ts";
import * as imports from "./imports.ts";
import * as keys from "./keys.ts";
import * as labels from "./labels.ts";
import * as links from "./links.ts";
import * as pages from "./pages.ts";
import * as patterns from "./patterns.ts";
import * as routing from "./routing.ts";
import * as sessions from "./sessions.ts";
import * as stores from "./stores.ts";
import * as webhooks from "./webhooks.ts";

/** What the OpenAPI document says about each call. A call without an entry does not compile. */
export const DOCUMENTATION: { [Name in CallName]: CallDocumentation<(typeof CALLS)[Name]> } = {
  cancelImport: imports.cancelImportDocumentation,
  checkLink: links.checkLinkDocumentation,
  createImport: imports.createImportDocumentation,
  createLink: createdLinks.createLinkDocumentation,
  createLinks: createdLinks.createLinksDocumentation,
  createPattern: patterns.createPatternDocumentation,
  createKey: keys.createKeyDocumentation,
  createLabel: labels.createLabelDocumentation,
  createUser: accounts.createUserDocumentation,
  createWebhook: webhooks.createWebhookDocumentation,
  deleteAccount: accounts.deleteAccountDocumentation,
  deleteAmazonAdsConnection: amazonAds.deleteAmazonAdsConnectionDocumentation,
  deleteLabel: labels.deleteLabelDocumentation,
  deleteImport: imports.deleteImportDocumentation,
  deleteLink: links.deleteLinkDocumentation,
  deleteLinks: links.deleteLinksDocumentation,
  deletePattern: patterns.deletePatternDocumentation,
  deletePatternLinks: patterns.deletePatternLinksDocumentation,
  deleteStoreTag: stores.deleteStoreTagDocumentation,
  deleteWebhook: webhooks.deleteWebhookDocumentation,
  endAllSessions: sessions.endAllSessionsDocumentation,
  endSession: sessions.endSessionDocumentation,
  exportAccount: accounts.exportAccountDocumentation,
  exportLinks: linksExport.exportLinksDocumentation,
  finishAmazonAdsConnection: amazonAds.finishAmazonAdsConnectionDocumentation,
  generate: links.generateDocumentation,
  getAmazonAdsAuthUrl: amazonAds.getAmazonAdsAuthUrlDocumentation,
  getAmazonAdsConnection: amazonAds.getAmazonAdsConnectionDocumentation,
  getAppOpeningStatus: pages.getAppOpeningStatusDocumentation,
  getClicks: clicks.getClicksDocumentation,
  getDigest: digest.getDigestDocumentation,
  getImport: imports.getImportDocumentation,
  getLink: links.getLinkDocumentation,
  getLinkClicks: clicks.getLinkClicksDocumentation,
  getLinkHistory: links.getLinkHistoryDocumentation,
  getLinkRouting: routing.getLinkRoutingDocumentation,
  getRoutingSettings: routing.getRoutingSettingsDocumentation,
  getUser: accounts.getUserDocumentation,
  go: patterns.goDocumentation,
  listKeyEvents: keys.listKeyEventsDocumentation,
  listKeys: keys.listKeysDocumentation,
  labelLinks: labels.labelLinksDocumentation,
  listLabels: labels.listLabelsDocumentation,
  listImports: imports.listImportsDocumentation,
  listLinkPeople: clicks.listLinkPeopleDocumentation,
  listLinkIds: links.listLinkIdsDocumentation,
  listLinkStores: links.listLinkStoresDocumentation,
  listLinks: links.listLinksDocumentation,
  listOneLinkStores: stores.listOneLinkStoresDocumentation,
  listPatterns: patterns.listPatternsDocumentation,
  listSessions: sessions.listSessionsDocumentation,
  listStoreTags: stores.listStoreTagsDocumentation,
  listWebhookDeliveries: webhooks.listWebhookDeliveriesDocumentation,
  listWebhooks: webhooks.listWebhooksDocumentation,
  login: accounts.loginDocumentation,
  logout: accounts.logoutDocumentation,
  metadata: pages.metadataDocumentation,
  renewWebhookSecret: webhooks.renewWebhookSecretDocumentation,
  replaceSessions: sessions.replaceSessionsDocumentation,
  replayWebhookDelivery: webhooks.replayWebhookDeliveryDocumentation,
  reportLink: pages.reportLinkDocumentation,
  resolveLink: pages.resolveLinkDocumentation,
  revokeKey: keys.revokeKeyDocumentation,
  saveDigest: digest.saveDigestDocumentation,
  saveLinkRouting: routing.saveLinkRoutingDocumentation,
  saveOneLinkStore: stores.saveOneLinkStoreDocumentation,
  saveRoutingSettings: routing.saveRoutingSettingsDocumentation,
  saveStoreTag: stores.saveStoreTagDocumentation,
  updateLabel: labels.updateLabelDocumentation,
  startImport: imports.startImportDocumentation,
  updateLink: links.updateLinkDocumentation,
  updatePattern: patterns.updatePatternDocumentation,
  updateUser: accounts.updateUserDocumentation,
  updateWebhook: webhooks.updateWebhookDocumentation,
  visitor: pages.visitorDocumentation,
};
