import { describe, expect, it } from "vitest";
import { eventsOf, greeter, refusalOf, serverOpener } from "../contract/server.contract.ts";
import type { Project } from "../services/projects/project.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";

const open = serverOpener();

const second = createScriptedModel({ id: "second", name: "Второй", script: saying("Да") });

async function configOf(response: Response): Promise<Record<string, unknown>> {
  const { visitor, ...config } = (await response.json()) as Record<string, unknown>;
  expect(visitor).toBeUndefined();
  return config;
}

const features = {
  resume: true,
  cancel: true,
  branch: true,
  erase: true,
  claim: false,
  pageContext: true,
  feedback: true,
  restore: true,
  search: true,
  export: true,
  clientTools: true,
  approvals: true,
  consent: false,
};

describe("the config", () => {
  it("has a project's own fields and the server's features", async () => {
    const { visitor } = await open({
      project: { config: { title: "Лавка", imageHosts: ["shop.example"], voice: { input: true } } },
    });
    const client = await visitor();
    expect(await configOf(await client.get("/api/projects/default/config"))).toEqual({
      title: "Лавка",
      imageHosts: ["shop.example"],
      voice: { input: true },
      notice: {},
      apiBase: "./",
      attachments: { accept: "image/*,application/pdf,text/*", maxBytes: 10_000_000, maxCount: 5 },
      features: { ...features, upload: true },
    });
  });

  it("has an API base that leads to the project from the path of its own request", async () => {
    const { visitor } = await open({ projects: { default: { models: [greeter] }, shop: { models: [greeter] } } });
    const client = await visitor();
    const outside = await configOf(await client.get("/api/projects/shop/config"));
    const inside = await configOf(await client.get("/p/shop/api/projects/shop/config"));
    expect([outside["apiBase"], inside["apiBase"]]).toEqual(["./p/shop/", "./"]);
  });

  it("lists several models, and names the project's default", async () => {
    const { visitor } = await open({ project: { models: [greeter, second], model: "second" } });
    const config = await configOf(await (await visitor()).get("/api/projects/default/config"));
    expect({ models: config["models"], model: config["model"] }).toEqual({
      models: [
        { id: "scripted", name: "Scripted" },
        { id: "second", name: "Второй" },
      ],
      model: "second",
    });
  });

  it("answers a page that names a removed model with the default one, and refuses other names", async () => {
    const { visitor, server } = await open({ project: { models: [greeter, second], model: "second" } });
    const client = await visitor();
    const third = createScriptedModel({ id: "third", script: saying("Новая") });
    const asked = async (id: string, model: string) => {
      const response = await client.ask(await client.newThread(), { id }, { model });
      return response.ok ? JSON.stringify(await eventsOf(response)) : refusalOf(response);
    };
    server.replaceProjects({ default: { models: [greeter, third] } });
    server.replaceProjects({ default: { models: [third] } });
    for (const model of ["scripted", "second", "third"]) expect(await asked(model, model)).toContain("Новая");
    expect(await asked("q", "fourth")).toBe("422 unprocessable");
  });

  it("announces tools of pages only when a model accepts tools", async () => {
    const toolless = { ...greeter, id: "toolless", takesTools: false };
    for (const [models, clientTools] of [
      [[toolless], false],
      [[toolless, greeter], true],
    ] as const) {
      const { visitor } = await open({ project: { models } });
      const config = await configOf(await (await visitor()).get("/api/projects/default/config"));
      expect(config["features"]).toMatchObject({ clientTools });
    }
  });

  it("has the project's notice, an empty one by default, and none for `false`", async () => {
    const noticeWith = async (config: NonNullable<Project["config"]>) => {
      const { visitor } = await open({ project: { config } });
      return (await configOf(await (await visitor()).get("/api/projects/default/config")))["notice"];
    };
    const notice = { text: "Отвечает робот", url: "/about-ai" };
    expect([await noticeWith({}), await noticeWith({ notice }), await noticeWith({ notice: false })]).toEqual([
      {},
      notice,
      undefined,
    ]);
  });

  it("has no attachments for a project without them", async () => {
    const { visitor } = await open({ project: { config: { attachments: false } } });
    const config = await configOf(await (await visitor()).get("/api/projects/default/config"));
    expect({ attachments: config["attachments"], features: config["features"] }).toEqual({
      attachments: false,
      features: { ...features, upload: false },
    });
  });

  it.each(["/api/projects/nobody/config", "/api/projects/__proto__/config", "/p/shop/api/projects/default/config"])(
    "finds nothing at %s",
    async (path) => {
      const { visitor } = await open({ projects: { default: { models: [greeter] }, shop: { models: [greeter] } } });
      expect(await refusalOf(await (await visitor()).get(path))).toBe("404 not_found");
    },
  );

  it.each(["/api/projects/nobody/config", "/elsewhere/api/projects/shop/config"])(
    "lets a page of any site read, without credentials, that there is nothing at %s",
    async (path) => {
      const { visitor } = await open({ projects: { shop: { models: [greeter] } } });
      const response = await (await visitor()).get(path, { origin: "https://unknown.example" });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    },
  );
});

describe("options that are invalid", () => {
  it.each([
    ["projects is empty", { projects: {} }],
    ['projects["a/b"]', { projects: { "a/b": { models: [greeter] } } }],
    ["models is empty", { project: { models: [] } }],
    ["two models of the same id", { project: { models: [greeter, greeter] } }],
    ['model is "third", but its models are scripted', { project: { model: "third" } }],
    ['allowedOrigins holds "shop"', { project: { allowedOrigins: ["shop"] } }],
    ["limits.threads is -1", { project: { limits: { threads: -1 } } }],
    ["secret is too short", { secret: "short" }],
    ["secret is too short", { secret: ["long enough to be a secret", "short"] }],
    ['projects["default"].secret is too short', { project: { secret: "fifteen letters" } }],
  ])("are refused with a sentence that names them: %s", async (sentence, options) => {
    await expect(open(options)).rejects.toThrow(sentence);
  });
});
