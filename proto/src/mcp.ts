/** The endpoint of the Model Context Protocol. It is not a `Call`: its messages are those of the protocol. */
export const MCP_PATH = "/api/mcp";
