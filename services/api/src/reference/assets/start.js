document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);

SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  // Of more than about 130 open calls it renders the first few only.
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  // By default the document of a public site is sent to a validator.
  validatorUrl: null,
});
