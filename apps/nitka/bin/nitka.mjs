#!/usr/bin/env node
// Plain JavaScript, so that an old Node can run it and report that it is too old.
const needed = [22, 16];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  await import("#main");
} else {
  process.stderr.write(
    `Nitka needs Node ${needed.join(".")} or newer, whose built-in SQLite it uses. This is Node ${process.versions.node}. ` +
      "Install a newer Node, or start Nitka in its repository with `npm start`, which brings its own.\n",
  );
  process.exitCode = 1;
}
