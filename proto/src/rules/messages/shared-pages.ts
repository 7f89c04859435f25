import { SHARED_PAGE_MAX_DAYS, SHARED_PAGE_NAME_MAX_LENGTH, SHARED_PAGES_MAX_COUNT } from "../limits.ts";

export const sharedPageNameRequired = "Please enter a name";
export const sharedPageNameTooLong = `Name must be at most ${SHARED_PAGE_NAME_MAX_LENGTH} characters`;
export const sharedPageEnd = `Please choose a day from today on, less than ${SHARED_PAGE_MAX_DAYS} days away`;
export const tooManySharedPages = `You share clicks ${SHARED_PAGES_MAX_COUNT} times, the maximum. Please revoke one first.`;
