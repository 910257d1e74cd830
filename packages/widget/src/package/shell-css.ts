/** The text of the stylesheets that every widget needs, in order. */
import base from "../styles/base.css?inline";
import main from "../styles/main.css?inline";

export const css: readonly string[] = [base, main];
