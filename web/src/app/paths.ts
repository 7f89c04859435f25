import { paths } from "@tapthru/proto/rules/paths";

export { paths };

/** The route of a link's page and its tabs. */
export const LINK_ROUTE = `${paths.link(":shortCode")}/:tab?`;
