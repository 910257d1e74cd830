import { copyButton } from "./controls.js";
import { element } from "./element.js";
import { words } from "./words.js";

/**
 * The visitor's id, and the commands with which the server exports or deletes their data. The desk itself is read-only.
 *
 * @param {{ readonly visitorId: string, readonly projectId: string }} owner
 */
export function visitorCommands({ visitorId, projectId }) {
  const options = [option("visitor", visitorId), ...(projectId === "default" ? [] : [option("project", projectId)])];
  const lines = [`nitka export ${options.join(" ")} > visitor.json`, `nitka purge ${options.join(" ")}`];
  return element(
    "details",
    { className: "visitor" },
    element("summary", {}, `${words.visitor.title} `, element("code", {}, visitorId)),
    element("p", { className: "quiet-text" }, words.visitor.note),
    ...lines.map((line) => {
      const copy = copyButton(words.visitor.copy, () => line);
      copy.ariaLabel = words.visitor.copyLine(line);
      return element("div", { className: "command" }, element("code", {}, line), copy);
    }),
  );
}

/**
 * An option of a shell command. Hosts choose the ids of their visitors, with any characters.
 *
 * @param {string} name
 * @param {string} value
 */
function option(name, value) {
  const quoted = /^[\w.:@~+/-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
  // A value that begins with a hyphen would be parsed as an option.
  return `--${name}${value.startsWith("-") ? "=" : " "}${quoted}`;
}
