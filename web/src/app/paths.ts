import { paths } from "@tapthru/proto/rules/paths";

export { paths };

export const LINK_ROUTE = `${paths.link(":shortCode")}/:tab?`;
