document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);

SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // By default the document of a public site is sent to a validator.
  validatorUrl: null,
});
