/** The files of the pages that the build of the web application renders, by their paths. */
export const PRERENDERED_PAGES = { "/": "home.html", "/dashboard": "dashboard.html" } as const;

/** The placeholder for the product's name in these files. The gateway replaces it when it starts. */
export const PRERENDERED_PRODUCT_NAME = "{product name}";

/** The id of the element that contains the configuration as JSON in every page. */
export const CONFIG_ELEMENT_ID = "config";
