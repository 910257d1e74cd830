/** A help page of the shop. Its assistant is behind the button, with the conversation of the shop's other pages. */
const { project = "default" } = document.body.dataset;

window.Nitka ??= [];
window.Nitka.push([
  "init",
  {
    projectId: project,
    layout: "launcher",
    linkTarget: "self",
    locale: document.documentElement.lang === "en" ? "en" : "ru",
    pageContext: () => ({ page: document.querySelector("h1")?.textContent }),
  },
]);
