/** The file of the start page, which the build of the web application renders. */
export const PRERENDERED_HOME = "home.html";

/** The placeholder for the product's name in that file. The gateway replaces it when it starts. */
export const PRERENDERED_PRODUCT_NAME = "{product name}";

/** The id of the element that contains the configuration as JSON in every page. */
export const CONFIG_ELEMENT_ID = "config";
