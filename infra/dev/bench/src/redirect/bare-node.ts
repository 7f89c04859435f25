import { createServer } from "node:http";

// A peer of the service: the least that Node.js does to send a redirect.
const [location = "", port = ""] = process.argv.slice(2);
createServer((_request, response) => response.writeHead(302, { location }).end()).listen(
  Number(port),
  "127.0.0.1",
);
