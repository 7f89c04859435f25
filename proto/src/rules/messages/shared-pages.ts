import { SHARED_PAGE_MAX_DAYS, SHARED_PAGES_MAX_COUNT } from "../limits.ts";

export const sharedPageEnd = `Please choose a day from today on, less than ${SHARED_PAGE_MAX_DAYS} days away`;
export const tooManySharedPages = `You share clicks ${SHARED_PAGES_MAX_COUNT} times, the maximum. Please revoke one first.`;
