// The same chat as a button in the corner: no element of the page is needed for it.
window.Nitka = window.Nitka || [];
window.Nitka.push([
  "init",
  {
    layout: "launcher",
    projectId: document.body.dataset.project,
    colorScheme: "light",
  },
]);
