/** A Vue page: a component renders the element, its properties change, and the route changes. */
import { createApp, h, ref } from "vue";

createApp({
  setup() {
    const route = ref<"chat" | "prices">("chat");
    const scheme = ref<"light" | "dark">("light");
    const link = (name: typeof route.value) => h("button", { onClick: () => (route.value = name) }, name);
    return () =>
      h("main", [
        link("chat"),
        link("prices"),
        h("button", { onClick: () => (scheme.value = "dark") }, "dark"),
        route.value === "chat"
          ? h("nitka-chat", { routing: "none", colorScheme: scheme.value, style: "display: block; height: 40rem" })
          : "Цены",
      ]);
  },
}).mount("#root");
