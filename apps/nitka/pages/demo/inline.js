// What a site writes to have the chat: the queue takes the call also before the script has loaded.
window.Nitka = window.Nitka || [];
window.Nitka.push([
  "init",
  {
    target: "#chat",
    projectId: document.body.dataset.project,
    basePath: "/demo",
    colorScheme: "light",
  },
]);
