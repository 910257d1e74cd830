/** What varies in a host page. */
export interface HostPageOptions {
  /** The options of `Nitka.init`, as JavaScript. */
  readonly options?: string;
  /** Further content of the body, before the script. */
  readonly body?: string;
  readonly head?: string;
  /** The whole script after the widget's, instead of a call of `init`. */
  readonly script?: string;
}

/** A page of a host: a place for the widget, the script tag, and the call. */
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
