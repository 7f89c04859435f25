export { comparedClicksOptions } from "./api.ts";
