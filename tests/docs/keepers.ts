/** The tests that run code blocks of the documents, and the blocks that are not code. */

export interface Keeper {
  /** The test's file, which contains the names of the documents and the headings. */
  readonly test: string;
  readonly language: string;
  readonly documents: readonly string[];
  /** The sections that it runs; without this, the whole document. */
  readonly headings?: readonly string[];
}

export const keepers: readonly Keeper[] = [
  { test: "tests/packages/react-app.test.ts", language: "tsx", documents: ["docs/embedding.md"], headings: ["React"] },
  { test: "tests/packages/vue-app.test.ts", language: "js", documents: ["docs/embedding.md"], headings: ["Vue"] },
  { test: "tests/packages/vue-app.test.ts", language: "vue", documents: ["docs/embedding.md"], headings: ["Vue"] },
  { test: "tests/packages/vue-app.test.ts", language: "astro", documents: ["docs/embedding.md"], headings: ["Astro"] },
  {
    test: "tests/packages/svelte-app.test.ts",
    language: "svelte",
    documents: ["docs/embedding.md"],
    headings: ["Svelte"],
  },
  ...["ts", "vue"].map((language) => ({
    test: "tests/packages/slow/nuxt-app.test.ts",
    language,
    documents: ["docs/embedding.md"],
    headings: ["Nuxt"],
  })),
  {
    test: "tests/packages/slow/angular-app.test.ts",
    language: "ts",
    documents: ["docs/embedding.md"],
    headings: ["Angular"],
  },
  {
    test: "tests/packages/slow/next-app.test.ts",
    language: "jsx",
    documents: ["docs/embedding.md"],
    headings: ["Next"],
  },
  {
    test: "tests/packages/slow/nest-app.test.ts",
    language: "js",
    documents: ["docs/library.md"],
    headings: ["Nest"],
  },
  ...["sh", "js", "caddy"].map((language) => ({
    test: "tests/ways/library.test.ts",
    language,
    documents: ["docs/library.md", "docs/ru/library.md"],
    headings: ["From an empty folder to your pages", "От пустой папки до ваших страниц"],
  })),
  ...["sh", "caddy"].map((language) => ({
    test: "examples/own-backend/own-backend-docs.test.ts",
    language,
    documents: ["docs/ru/own-backend.md"],
  })),
  ...["sh", "caddy"].map((language) => ({
    test: "tests/ways/python.test.ts",
    language,
    documents: ["docs/own-backend.md"],
    headings: ["A backend over HTTPS", "A model behind our server"],
  })),
  {
    test: "examples/own-backend/own-backend-docs.test.ts",
    language: "console",
    documents: ["docs/own-backend.md", "docs/ru/own-backend.md"],
  },
  {
    test: "tests/browser/own-backend-docs.spec.ts",
    language: "json",
    documents: ["docs/own-backend.md"],
    headings: ["What the widget sends"],
  },
  {
    test: "examples/own-backend/own-backend-docs.test.ts",
    language: "json",
    documents: ["docs/ru/own-backend.md"],
  },
  ...["python", "php"].map((language) => ({
    test: "tests/docs/signed-in-users.test.ts",
    language,
    documents: ["docs/signed-in-users.md", "docs/ru/signed-in-users.md"],
  })),
  { test: "tests/docs/webhooks.test.ts", language: "python", documents: ["docs/configuration.md"] },
  { test: "tests/docs/transcript.test.ts", language: "console", documents: ["docs/protocol.md"] },
  {
    test: "packages/server/src/storage/documented-statements.test.ts",
    language: "sql",
    documents: ["docs/operating.md"],
  },
];

/** Blocks that are not meant to be copied, by `document#heading:index`, each with its kind. */
export const illustrations: Readonly<Record<string, string>> = {
  "docs/architecture.md#Architecture:0": "a picture of the parts",
  "docs/extending.md#What the model is told, word for word:0":
    "packages/server/src/model/prompt/question-data.test.ts compares it",
  "docs/own-backend.md#Check your backend:1": "what a failure looks like",
  "docs/ru/own-backend.md#Проверьте бэкенд:1": "what a failure looks like",
  "docs/recipes/add-a-storage.md#Add a storage:0": "the contract, with «…» for the reader's own options",
  "docs/protocol.md#The types:0": "the types of @nitka/protocol in short",
};
