export { paths } from "@tapthru/proto/rules/paths";
