import { ANONYMOUS_LINK_EXPIRY_DAYS, APP_OPENING_MIN_REPORTS } from "../limits.ts";

// The links of a guest
export const recentLinks = "Recent links in this browser";
export const recentLinksHint =
  "No other browser has this list. Sign up to keep the links for good.";
export const showAllRecentLinks = (count: number) => `Show all ${count}`;
export const removeFromList = (name: string) =>
  `Remove ${name} from this list. The link keeps working.`;

// What the product does
export const phoneDemoLabel =
  "A tap on a short link in a post opens the product in the Amazon app, with your tag.";
export const phoneDemo = {
  account: "yourname",
  place: "My desk",
  caption: "The lamp on my desk",
  disclosure: "#ad",
  link: "tapthru.example/l/lamp",
  search: "Search Amazon",
  product: "Desk lamp, dimmable",
  addToCart: "Add to Cart",
  buyNow: "Buy Now",
  app: "Amazon app",
  tag: "yourname-20",
  tagKept: "Your tag comes along",
} as const;
export const playAgain = "Play again";

export const howToSteps = [
  ["Paste an Amazon link", "A product or your storefront, with your tag on it."],
  ["Copy your short link and share it", "In a post, a bio or a video description."],
  ["One tap opens the Amazon app", "Your tag comes along. Computers open Amazon's website."],
] as const;

export const openRatesText = `Pages report whether the app opened. Rates of apps with at least ${APP_OPENING_MIN_REPORTS} taps are public.`;

export const madeFor = "Made for";
export const audiences = {
  affiliates: [
    "Affiliates",
    "A tag for each country, clicks by source, and a warning when a link has no tag or its product is gone.",
  ],
  creators: [
    "Creators",
    "Instagram, TikTok and YouTube open links in a browser of their own. Short links lead from there to the Amazon app.",
  ],
  developers: ["Developers", "Create and manage links with the API, webhooks and AI assistants."],
} as const;
export const apiDocumentation = "API reference";

export const questions = "Questions";
export const questionsAndAnswers = [
  [
    "Does Amazon allow this?",
    "Amazon's rules for Associates forbid short links that hide that they lead to Amazon, and redirects that nobody tapped. So our pages name Amazon, and only a tap on your link opens it. Visits that open the app don't say which site they came from: add this site to your Associates account, and ask Amazon if in doubt.",
  ],
  [
    "Does my tag stay on the link?",
    "Yes, in the app and in the browser. If you turn on routing, visitors from other countries get your tag for their store. Beside each new link you see its tag, or a warning that it has none.",
  ],
  [
    "What happens on a computer?",
    "The original Amazon page opens in the browser. Phones without the Amazon app can open it there too.",
  ],
  ["Does it cost anything?", "No. Links and accounts are free."],
  [
    "How long do links work?",
    `${ANONYMOUS_LINK_EXPIRY_DAYS} days without an account. With an account, until you delete them or the date you choose.`,
  ],
  [
    "Which Amazon links work?",
    "Products, storefronts, lists and searches of 24 Amazon stores, and short links of amzn.to and a.co.",
  ],
] as const;
