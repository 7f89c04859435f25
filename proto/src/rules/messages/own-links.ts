import { NICKNAME_MAX_LENGTH, TITLE_MAX_LENGTH } from "../limits.ts";

// Titles of pages of Amazon that have no product
export const searchFor = (words: string) => `Search: ${words}`;
export const amazonSearch = "Amazon search";
export const amazonStartPage = "Amazon start page";
export const amazonCart = "Amazon cart";
export const amazonBestsellers = "Amazon bestsellers";
export const amazonDeals = "Amazon deals";
export const amazonWishList = "Amazon wish list";

// One link
export const nicknameRequired = "Nickname is required";
export const titleRequired = "Title is required";
export const nicknameTooLong = `Nickname must be at most ${NICKNAME_MAX_LENGTH} characters`;
export const titleTooLong = `Title must be at most ${TITLE_MAX_LENGTH} characters`;
export const onlyVisibleCharacters = "Line breaks and control characters are not allowed";
export const shlinkOrder = "Links can only be ordered by dateCreated-DESC here.";
