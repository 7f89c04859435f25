export { RevokeKeys, useOwnKeyNames } from "./revoke-keys.tsx";
