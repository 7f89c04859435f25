import {
  NICKNAME_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  TITLE_MAX_LENGTH,
  USERNAME_MAX_LENGTH,
  USERNAME_MIN_LENGTH,
} from "./limits.ts";

// A pasted link
export const enterAmazonUrl = "Please enter an Amazon URL";
export const enterValidAmazonUrl = "Please enter a valid Amazon URL";
export const invalidAmazonUrl = "Invalid Amazon URL";
export const notAShoppingPage = (host: string) => `${host} is not an Amazon shopping page`;
export const homeTitle = "Amazon links that open in the app";
export const homeTagline =
  "Paste a link, share the short one. On a phone it opens the Amazon app, and your tag stays on it.";
export const socialCardText = "One tap on a phone, the original page on a desktop.";
export const homePlaceholder = "Paste a dp, gp or storefront link";
export const homePoints = {
  app: ["Opens the app", "One tap on iOS or Android leads to the Amazon app."],
  tag: ["Keeps your tag", "Every parameter arrives just as you pasted it."],
  desktop: ["Works on desktop", "There it leads to the original Amazon page."],
} as const;
export const linkFieldLabel = "Amazon product or store link";
export const linkFieldHint = "amzn.to and a.co links work too.";
export const linkPlaceholder = "Paste your Amazon link here...";
export const failedToProcessShortLink =
  "Failed to process the shortened Amazon link. Please try using the full Amazon URL.";
export const notAShortLink = "This is not a shortened Amazon link.";
export const serverFailedToResolve = "Server failed to resolve the short link";
export const failedToResolveShortLink = "Failed to resolve Amazon short link";

// Making a link
export const linkGenerated = "Link generated!";
export const linkReadyToShare = "Your deep link is ready to be shared";
export const redirectingToDetails = "Redirecting to link details...";
export const generatingLink = "Generating your link...";
export const resultLabel = "Your short link";
export const failedToGenerateLink = "Failed to generate link";
export const serverError = (text: string) => `Server error: ${text}`;
export const anonymousLinkWarning =
  "This link expires in 7 days and belongs to no account. Sign up to keep it.";
export const createNewLink = "Create New Link";

// Copying
export const copyLink = "Copy link";
export const copied = "Copied!";
export const linkCopied = "Link copied to clipboard";
export const failedToCopyLink = "Failed to copy link";
export const failedToCopyLinkTryAgain = "Failed to copy link. Please try again.";

// The list of links
export const yourLinks = "Your Links";
export const createLink = "Create link";
export const loadingLinks = "Loading your links...";
export const errorLoadingLinks = "Oops! Please try to refresh this page";
export const noLinks = "You haven't created any links yet.";
export const networkResponseNotOk = (status: number, text: string) =>
  `Network response was not ok: ${status} ${text}`;
export const searchLinks = "Search your links";
export const searchLinksPlaceholder = "Name, address or short code";
export const noLinksMatch = (text: string) => `No links match "${text}".`;
export const clearSearch = "Clear search";
export const showMoreLinks = "Show more";
export const loadingMoreLinks = "Loading more links...";
export const errorLoadingMoreLinks = "More links could not be loaded.";
export const copyLinkOf = (name: string) => `Copy link of ${name}`;

// One link
export const amazonProduct = "Amazon Product";
export const amazonProductWithId = (id: string) => `Amazon Product: ${id}`;
export const loading = "Loading...";
export const failedToFetchLink = "Failed to fetch link";
export const errorLoadingLink = "Error loading link details. Please try again.";
export const returnToDashboard = "Return to Dashboard";
export const backToList = "< Back to List";
export const preview = "Preview";
export const originalUrl = "Original URL";
export const nickname = "Nickname";
export const title = "Title";
export const image = "Image";
export const editNickname = "Edit nickname";
export const editTitle = "Edit title";
export const save = "Save";
export const saving = "Saving...";
export const cancel = "Cancel";
export const takenDown = "Taken down";
export const takenDownNotice =
  "This link was taken down. Visitors are told that it is no longer available, and it cannot be edited.";
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
export const failedToDeleteLink = "Failed to delete the link. Please try again.";

// Accounts
export const welcomeBack = "Welcome back";
export const welcomeBackText = "Log in to find, rename and share your links.";
export const createAccount = "Create your account";
export const createAccountText = "Links you keep never expire, and you can rename them any time.";
export const newHere = "New here?";
export const haveAccount = "Already have an account?";
export const linkComesAlong = "The link you just made will be on your dashboard.";
export const username = "Username";
export const email = "Email";
export const password = "Password";
export const confirmPassword = "Confirm password";
export const showField = (name: string) => `Show ${name.toLowerCase()}`;
export const hideField = (name: string) => `Hide ${name.toLowerCase()}`;
export const passwordHint = `At least ${PASSWORD_MIN_LENGTH} characters`;
export const enterValidEmail = "Please enter a valid email address";
export const passwordTooShort = `Password must be at least ${PASSWORD_MIN_LENGTH} characters`;
export const usernameTooShort = `Username must be at least ${USERNAME_MIN_LENGTH} characters`;
export const usernameTooLong = `Username must be at most ${USERNAME_MAX_LENGTH} characters`;
export const passwordsDiffer = "Passwords do not match";
export const loginInstead = "Login instead";
export const accountCreated = "Your account has been created successfully.";
export const failedToCreateAccount = "Failed to create account. Please try again.";
export const failedToSync = "Failed to sync with backend";
export const failedToSyncUser = "Failed to sync user with backend";
export const failedToClaimLink = "Failed to associate link with user";
export const usernameTaken = "This username is already taken.";
export const emailTaken = "This email address is already in use.";
export const passwordTooWeak = "Please choose a stronger password.";
export const tooManyAttempts = "Too many attempts. Please wait a few minutes and try again.";
export const providerUnreachable =
  "The login service could not be reached. Please check your connection and try again.";
export const accountDisabled = "This account has been disabled.";
export const loggedIn = "Logged in successfully";
export const invalidEmailOrPassword = "Invalid email or password.";
export const failedToLogInToBackend = "Failed to login with backend";
export const forgotPassword = "Forgot your password?";
export const enterEmailFirst = "Please enter your email address first.";
export const passwordResetSent = "Password reset email has been sent. Please check your inbox.";
export const failedToSendPasswordReset = "Failed to send password reset email. Please try again.";
export const loggedOut = "You have been logged out successfully.";
export const failedToLogOut = "Failed to log out. Please try again.";
export const failedToLogOutOfBackend = "Failed to logout from backend";
export const identityProviderUnavailable = "Firebase authentication is not available";

// Opening the app
export const openingAmazon = "Opening Amazon...";
export const appDidNotOpen =
  "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:";
export const openInApp = "Open in Amazon App";
export const tryAgainInApp = "Try Again to Open in Amazon App";
export const openInBrowser = "Open in Web Browser";
export const openInSafari = "Open in Safari";
export const openOutsideApp = "Open outside this app";
export const openByHand =
  'To open the Amazon app, first tap the menu (\u22ef) at the top and choose "Open in browser".';
export const noAmazonApp = "Don't have the Amazon app?";
export const getFromAppStore = "Get it from the App Store";
export const openInAppTitle = (productName: string) => `${productName} - Open in Amazon App`;

// Amazon Ads
export const connectAmazonAds = "Connect Amazon Ads";
export const connectAmazonAdsText =
  "Login with your Amazon account to connect your advertising data";
export const loginWithAmazon = "Login with Amazon";
export const connecting = "Connecting...";
export const failedToGetAuthUrl = "Failed to get authentication URL";
export const failedToInitiateAmazonLogin = "Failed to initiate Amazon login. Please try again.";
export const adsNotConfigured = "Amazon Ads is not set up on this server.";

// Privacy
export const privacyPolicy = "Privacy policy";
export const amazonAdsPrivacy = "Amazon Ads privacy";
export const amazonAdsPolicyTitle = "Privacy policy for the Amazon Ads API integration";
export const amazonAdsPolicyLead =
  "For those who connect an Amazon advertising account there is a policy of its own:";
export const aboutThisSite = "About this site";

// The shell
export const success = "Success";
export const error = "Error";
export const login = "Login";
export const logOut = "Log out";
export const signUp = "Sign up";
export const signUpForFree = "Sign up for free";
export const dashboard = "Dashboard";
export const mainNavigation = "Main";
export const menu = "Menu";
export const openMenu = "Open menu";
export const closeMenu = "Close menu";
export const close = "Close";
export const theme = "Theme";
export const themeLight = "Light";
export const themeDark = "Dark";
export const themeSystem = "System";
export const themeButton = (current: string) => `Theme: ${current}`;
export const version = (name: string) => `Version ${name}`;
export const notFoundTitle = "404 Page Not Found";
export const notFoundText = "Did you forget to add the page to the router?";
export const backToHome = "Back to the start page";
export const crashTitle = "Something went wrong";
export const crashText = "Please reload the page. If it happens again, try later.";
export const reload = "Reload";
export const tryAgain = "Try again";

// Replies of the api and of short links
export const httpError = (status: number, text: string) => `${status}: ${text}`;
export const malformedRequest = "The request could not be read.";
export const badIdempotencyKey = "The Idempotency-Key must be a UUID or a long random text.";
export const idempotencyKeyReused = "This Idempotency-Key was used for another request.";
export const loginRequired = "Please log in first.";
export const badToken = "Your login could not be verified. Please log in again.";
export const foreignOrigin = "Requests from other sites are not allowed.";
export const notAllowed = "You are not allowed to do this.";
export const accountNotFound = "There is no account for this login.";
export const notFound = "Not found.";
export const linkExpired = "This link has expired.";
export const linkNotAvailable = "This link is no longer available.";
export const linkNotFound = "Link not found.";
export const methodNotAllowed = "This method is not allowed here.";
export const bodyTooLarge = "The request is too large.";
export const jsonExpected = "The request must be JSON.";
export const unexpectedField = (name: string) => `Unexpected field: ${name}`;
export const malformedField = (name: string) => `Missing or malformed field: ${name}`;
export const tooManyRequests = "Too many requests. Please try again in a moment.";
export const unavailable = "The service is not available right now. Please try again in a moment.";
export const internalError = "Something went wrong. Please try again.";

// Small pages, of short links and of the gateway
export const goToSite = (productName: string) => `Go to ${productName}`;
export const viewOnAmazon = (host: string) => `View on Amazon: ${host}`;
export const opensOnAmazon = "Opens on Amazon:";
export const smallPages = {
  linkNotFound: {
    heading: "Link not found",
    sentence: "There is no link at this address. Please check it for typing mistakes.",
  },
  linkGone: {
    heading: "This link has ended",
    sentence: "It is no longer available. Ask whoever shared it for a new one.",
  },
  tooManyCodes: {
    heading: "Too many links that are not there",
    sentence: "Please check the address and try again in a minute.",
  },
  linkUnavailable: {
    heading: "We will be right back",
    sentence: "We cannot look this link up at the moment. Please try again in a few seconds.",
  },
  malformed: {
    heading: "We could not read that",
    sentence: "The request was malformed.",
  },
  pageNotFound: {
    heading: "Page not found",
    sentence: "There is nothing at this address.",
  },
  methodNotAllowed: {
    heading: "That does not work here",
    sentence: "This address does not take that kind of request.",
  },
  bodyTooLarge: {
    heading: "That is too much",
    sentence: bodyTooLarge,
  },
  addressTooLong: {
    heading: "That address is too long",
    sentence: "The address of the request is too long.",
  },
  headersTooLarge: {
    heading: "Your browser sent too much",
    sentence:
      "The headers of the request are too large. Clearing the cookies of this site may help.",
  },
  failed: {
    heading: "Something went wrong",
    sentence: "Something went wrong on our side. Please try again.",
  },
  notOffered: {
    heading: "That does not work here",
    sentence: "The request uses something this server does not offer.",
  },
  away: {
    heading: "We will be right back",
    sentence:
      "This part of the site is not answering at the moment. Please try again in a few seconds.",
  },
  tooSlow: {
    heading: "That took too long",
    sentence: "This part of the site did not answer in time. Please try again in a few seconds.",
  },
  oldHttp: {
    heading: "That does not work here",
    sentence: "The request uses a version of HTTP this server does not offer.",
  },
} as const;
