import { request, textOf } from "./api.js";
import { element } from "./element.js";
import { languageButton } from "./language-button.js";
import { words } from "./words.js";

/**
 * The form for the key.
 *
 * @param {() => void} onOpen
 * @returns {import("./view.d.ts").View}
 */
export function signInView(onOpen) {
  const key = element("input", { type: "password", name: "key", required: true, autocomplete: "current-password" });
  const problem = element("p", { className: "problem", role: "alert" });
  const submit = element("button", { type: "submit", className: "primary" }, words.signIn.submit);
  const form = element(
    "form",
    { className: "sign-in" },
    element("h1", {}, words.desk),
    element("p", { className: "quiet-text" }, words.signIn.note),
    element("label", {}, element("span", {}, words.signIn.key), key),
    problem,
    submit,
    languageButton(),
  );
  const signIn = async () => {
    submit.disabled = true;
    problem.textContent = "";
    try {
      await request("/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ key: key.value }),
      });
      onOpen();
    } catch (error) {
      problem.textContent = textOf(error);
      submit.disabled = false;
      key.select();
      key.focus();
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void signIn();
  });
  return { title: words.signIn.title, content: [form] };
}
