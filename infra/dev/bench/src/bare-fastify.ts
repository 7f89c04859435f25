import Fastify from "fastify";

// A peer of the redirect: a Fastify that only sends a redirect.
const [location = "", port = ""] = process.argv.slice(2);
const app = Fastify();
app.get("/l/:code", (_request, reply) => reply.code(302).header("location", location).send());
await app.listen({ host: "127.0.0.1", port: Number(port) });
