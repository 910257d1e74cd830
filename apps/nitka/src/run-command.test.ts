import { expect, it } from "vitest";
import { runInProcess } from "./commands/command.contract.ts";

it.each([
  [["serv"], 'nitka has no command "serv": did you mean serve?'],
  [["fly"], 'nitka has no command "fly".'],
  [["check", "online"], 'nitka check does not take "online": did you mean --online?'],
  [["export", "42"], 'nitka export does not take "42".'],
  [["check", "--onlin"], "nitka has no option --onlin: did you mean --online?"],
  [["--port", "3000"], "nitka has no option --port."],
  [["check", "-x"], "nitka has no option -x."],
  [["check", "--json"], "nitka check does not take --json."],
  [["export", "--visitor"], "--visitor needs a value."],
  [["export", "--visitor", "--project", "shop"], "--visitor needs a value."],
  [["usage", "--json=1"], "--json takes no value."],
])("%j names what is wrong, and exits with 2", async (args, problem) => {
  expect(await runInProcess({}, ...args)).toEqual({
    code: 2,
    stdout: "",
    stderr: `${problem} \`nitka --help\` lists the commands and options.\n`,
  });
});
