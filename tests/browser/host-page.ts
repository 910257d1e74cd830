/** The parts of a host page that a test can replace. */
export interface HostPageOptions {
  /** The options of `Nitka.init`, as JavaScript. */
  readonly options?: string;
  /** The content of the body before the scripts. */
  readonly body?: string;
  readonly head?: string;
  /** The script after the widget's own. By default it runs `Nitka.init`. */
  readonly script?: string;
}

/** The HTML of a host page: a container for the widget, the script tag, and `Nitka.init`. */
export function hostPage({
  options = `{ target: "#chat" }`,
  body = `<div id="chat"></div>`,
  head = "",
  script = `window.chat = Nitka.init(${options});`,
}: HostPageOptions = {}): string {
  return `<!doctype html>
<html lang="ru">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Страница хозяина</title>
    <style>body { margin: 0 } #chat { height: 100vh }</style>
    ${head}
  </head>
  <body>
    ${body}
    <script src="/widget/nitka.js"></script>
    <script>${script}</script>
  </body>
</html>`;
}
