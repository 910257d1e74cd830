/** The text of the stylesheets that answers need, in order. */
import markdownDot from "../styles/markdown-dot.css?inline";
import markdown from "../styles/markdown.css?inline";

export const css: readonly string[] = [markdown, markdownDot];
