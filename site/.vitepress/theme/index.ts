/** The look of the site: VitePress's own theme without its web font, in the widget's colours and type. */
import DefaultTheme from "vitepress/theme-without-fonts";
import type { Theme } from "vitepress";
import FrontPage from "./front-page.vue";
import LiveChat from "./live-chat.vue";
import "./site.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("FrontPage", FrontPage);
    app.component("LiveChat", LiveChat);
  },
} satisfies Theme;
