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

// Tools of a link
export const shareLink = "Share link";
export const failedToShareLink = "Failed to share link. Please try again.";
export const qrCode = "QR code";
export const showQrCode = "Show QR code";
export const qrCodeOf = (shortUrl: string) => `QR code of ${shortUrl}`;
export const downloadSvg = "Download SVG";
export const downloadPng = "Download PNG";
export const failedToMakeQrCode = "Failed to make the QR code. Please try again.";
export const qrCodeTagNotice =
  "Amazon's help does not allow links with a tag offline or in QR codes. Ask Amazon before you print it, or use a link without a tag.";
export const affiliateTag = "Affiliate tag";
export const tagMissing = "This link has no tag, so purchases through it earn you nothing.";
export const tagSound = "It stays on the link in the app and in every browser.";
export const tagAttribution =
  "This is Amazon Attribution: it reports to a seller and is no associate's tag.";
export const tagsSeveral =
  "This link has more than one tag, and Amazon does not say which of them counts.";
export const tagForeign = (store: string, suffix: string) =>
  `Tags for ${store} usually end in ${suffix}. A tag earns only in the store it was issued for.`;
export const tagUnusual =
  "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";
export const disclosureAdvice = "Amazon asks you to say that you earn from such links:";
export const disclosureAccount = "As an Amazon Associate I earn from qualifying purchases.";
export const disclosureLink = "#ad";
export const copyDisclosure = (text: string) => `Copy "${text}"`;
export const textCopied = "Text copied to clipboard";
export const failedToCopyText = "Failed to copy the text. Please try again.";
export const howWillThisOpen = "How will this open?";
export const device = "Device";
export const devices = { ios: "iPhone", android: "Android", desktop: "Desktop" } as const;
export const tappedIn = "Tapped in";
export const appNames: Readonly<Record<string, string>> = {
  browser: "Browser",
  "other-view": "Another app",
  alipay: "Alipay",
  facebook: "Facebook",
  google: "Google",
  instagram: "Instagram",
  kakaotalk: "KakaoTalk",
  klarna: "Klarna",
  line: "LINE",
  linkedin: "LinkedIn",
  messenger: "Messenger",
  naver: "Naver",
  pinterest: "Pinterest",
  reddit: "Reddit",
  slack: "Slack",
  snapchat: "Snapchat",
  telegram: "Telegram",
  threads: "Threads",
  tiktok: "TikTok",
  wechat: "WeChat",
  weibo: "Weibo",
  whatsapp: "WhatsApp",
  x: "X",
  zalo: "Zalo",
};
export const appFromVersion = (app: string, from: string) => `${app}, from version ${from}`;
export const appBelowVersion = (app: string, below: string) => `${app}, before version ${below}`;
export const appBetweenVersions = (app: string, from: string, below: string) =>
  `${app}, from version ${from}, before ${below}`;
export const opensAtOnce = "The browser goes straight to the original page:";
export const opensByItself = "Tries the Amazon app by itself. The page also has these buttons:";
export const opensByTap = "Waits for a tap. The page has these buttons:";
export const opensUnnamed = "This app does not say which it is, so it gets what a browser gets.";
export const tagIsMarked = "The tag is marked.";

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

export const yourAccount = "Your account";
export const sessionsTitle = "Where you are logged in";
export const errorLoadingSessions = "Your sessions could not be loaded.";
export const thisBrowser = "This browser";
export const unknownBrowser = "Unknown browser";
export const browserOn = (browser: string, system: string) => `${browser} on ${system}`;
export const sessionSeen = (lastSeen: string, began: string) =>
  `Last used ${lastSeen}, logged in ${began}`;
export const logOutEverywhere = "Log out everywhere";
export const loggingOut = "Logging out...";
export const confirmLogOutEverywhere =
  "Log out in all browsers, this one too? Each will ask for the password again.";

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
export const adsRegionQuestion = "Where do you advertise?";
export const adsRegions = {
  na: { name: "North America", countries: "United States, Canada, Mexico, Brazil" },
  eu: { name: "Europe", countries: "United Kingdom, European Union, Middle East, Africa, India" },
  fe: { name: "Far East", countries: "Japan, Singapore, Australia" },
} as const;
export const adsConnectedHeading = "Connected";
export const adsConnected = "Amazon Ads is connected.";
export const adsDenied = "You did not give access at Amazon, so nothing was connected.";
export const adsFailed = "Amazon Ads could not be connected. Please try again.";
export const adsEnded = "Amazon no longer accepts this connection. Log in again to renew it.";
export const adsAccount = "Amazon account";
export const adsAccountUnnamed = "Without a name";
export const adsRegion = "Region";
export const adsProfiles = "Advertising profiles";
export const noAdsProfiles = "This account has no advertising profile in this region.";
export const adsConnectedSince = "Connected since";
export const errorLoadingAds = "Your connection could not be loaded.";
export const disconnect = "Disconnect";
export const disconnecting = "Disconnecting...";
export const confirmDisconnectAds =
  "Are you sure you want to disconnect Amazon Ads? Everything we keep of the connection will be erased.";
export const adsDisconnected = "Amazon Ads disconnected";
export const adsDisconnectedText = "Everything we kept of the connection has been erased.";
export const failedToDisconnectAds = "Failed to disconnect Amazon Ads. Please try again.";
export const adsConsentNote =
  "Disconnecting erases what we keep. Amazon lists your consent until you remove it there:";
export const manageAtAmazon = "Manage Login with Amazon";

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
