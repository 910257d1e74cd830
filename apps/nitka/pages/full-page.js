const chat = document.getElementById("chat");
window.Nitka = window.Nitka || [];
window.Nitka.push(["init", { target: chat, projectId: chat.dataset.project }]);

// The script may have failed before this listener was added: its entry in the list shows that too.
const script = document.querySelector('script[src$="/widget/nitka.js"]');
const failed = () => {
  document.getElementById("failed").hidden = false;
};
script.addEventListener("error", failed);
window.addEventListener("load", () => {
  if (Array.isArray(window.Nitka)) failed();
});
