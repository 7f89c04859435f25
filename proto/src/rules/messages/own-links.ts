import { NICKNAME_MAX_LENGTH, TITLE_MAX_LENGTH } from "../limits.ts";

// Titles of pages of Amazon that have no product
export const searchFor = (words: string) => `Search: ${words}`;
export const amazonSearch = "Amazon search";
export const amazonStartPage = "Amazon start page";
export const amazonCart = "Amazon cart";
export const amazonBestsellers = "Amazon bestsellers";
export const amazonDeals = "Amazon deals";
export const amazonWishList = "Amazon wish list";

// The list of links
export const errorLoadingLinks = "Oops! Please try to refresh this page";
export const noLinks = "You haven't created any links yet.";
export const networkResponseNotOk = (status: number, text: string) =>
  `Network response was not ok: ${status} ${text}`;
export const searchLinks = "Search your links";
/** Short, so that large text on a small screen does not cut it. */
export const searchLinksPlaceholder = "Search";
export const noLinksMatch = (text: string) => `No links match "${text}".`;
export const clearSearch = "Clear search";
export const showMoreLinks = "Show more";
export const loadingMoreLinks = "Loading more links...";
export const errorLoadingMoreLinks = "More links could not be loaded.";
export const createFirstLink = "Create your first link";
export const sortLinks = "Sort";
export const linkOrders = {
  newest: "Newest first",
  name: "By name",
  clicks: "Most taps",
} as const;
export const taps = (count: number, text: string) => `${text} ${count === 1 ? "tap" : "taps"}`;
export const inThirtyDays = "in 30 days";
export const tapsTrend = (highest: string, week: string) =>
  `At most ${highest} on one day, ${week} in the last 7 days.`;
export const filterByStore = "Store";
export const allStores = "All stores";
export const filterLinks = "Show";
export const allLinks = "All links";
export const linkFilters = { "no-tag": "No tag", "needs-attention": "Needs attention" } as const;
export const noLinksMatchFilters = "No links match these filters.";
export const clearFilters = "Clear filters";
export const openFilters = (active: number) => (active === 0 ? "Filter" : `Filter (${active})`);
export const allClicks = "All clicks";
export const pasteOnPage = "Paste an Amazon link anywhere on this page to shorten it.";
export const linksShown = (count: number, areMore: boolean) =>
  areMore ? `More than ${count} links` : links(count);
export const selectLinks = "Select";
export const selectAll = "Select all";
export const selectAllOf = (count: number) => `Select all ${count}`;
export const failedToSelectAll = "The other links could not be selected. Please try again.";
export const linksSelected = (count: number) => `${count} selected`;
export const linksDeleted = (count: number) => `${links(count)} deleted`;
export const undo = "Undo";
export const failedToDeleteLinks = "Failed to delete the links. Please try again.";
export const createdOn = "Created";
export const tag = "Tag";
export const noTag = "No tag";
export const expired = "Expired";
export const expiresOn = (date: string) => `Expires ${date}`;
export const copyLinkOf = (name: string) => `Copy link of ${name}`;
export const moreActionsFor = (name: string) => `More actions for ${name}`;
export const openShortLink = "Open short link";

// One link
export const failedToFetchLink = "Failed to fetch link";
export const errorLoadingLink = "Error loading link details. Please try again.";
export const returnToDashboard = "Return to Dashboard";
export const backToList = "< Back to List";
export const preview = "Preview";
export const originalUrl = "Original URL";
export const nicknameForOwner = "Nickname (only you see this)";
export const noNickname = "No nickname yet. Only you will see it.";
export const title = "Title";
export const titleHint = "Visitors see this title.";
export const image = "Image";
export const linkTabs = {
  overview: "Overview",
  clicks: "Clicks",
  opening: "Opening",
  settings: "Settings",
} as const;
export const tapsAndEarnings = "Taps and earnings";
export const linkTabTitle = (tab: string, name: string) => `${tab}: ${name}`;
export const linkTabsLabel = "Parts of this link's page";
export const showMore = "Show more";
export const showLess = "Show less";
export const editNickname = "Edit nickname";
export const editTitle = "Edit title";
export const save = "Save";
export const saving = "Saving...";
export const saved = "Saved.";
export const cancel = "Cancel";
export const discardQuestion = "Discard what you have typed?";
export const discard = "Discard";
export const savedQuestion = "Have you saved this? It is not shown again.";
export const savedThis = "I have saved it";
export const takenDown = "Taken down";
export const takenDownNotice =
  "This link was taken down. Visitors see that it is no longer available, and it cannot be edited.";
export const expiredNotice = (fallbackUrl: string | null) =>
  fallbackUrl === null
    ? "This link has expired. Visitors see that it is no longer available."
    : `This link has expired. Visitors get this page instead: ${fallbackUrl}`;
export const invalidLink = "Invalid link";
export const invalidLinkNotice =
  "The address stored for this link is not a page of an Amazon store, so it cannot be opened, copied or edited. You can delete it.";
export const nicknameRequired = "Nickname is required";
export const titleRequired = "Title is required";
export const nicknameTooLong = `Nickname must be at most ${NICKNAME_MAX_LENGTH} characters`;
export const titleTooLong = `Title must be at most ${TITLE_MAX_LENGTH} characters`;
export const onlyVisibleCharacters = "Line breaks and control characters are not allowed";
export const failedToUpdateNickname = "Failed to update link name. Please try again.";
export const failedToUpdateTitle = "Failed to update link title. Please try again.";
export const deleteLink = "Delete";
export const deletingLink = "Deleting...";
export const confirmDelete =
  "Are you sure you want to delete this link? This action cannot be undone.";
export const linkDeleted = "Link deleted";
export const linkDeletedText = "The link has been successfully deleted.";
/** Shown if the user deleted the link in another tab. */
export const linkWasDeleted = "This link was deleted.";
export const failedToDeleteLink = "Failed to delete the link. Please try again.";

function links(count: number): string {
  return count === 1 ? "1 link" : `${count} links`;
}
