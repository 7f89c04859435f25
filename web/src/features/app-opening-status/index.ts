export { appOpeningStatusQuery } from "./api.ts";
