// Checks that Python files are formatted as ruff formats, and lints them, by ruff's WebAssembly and the settings in pyproject.toml.
// Usage: node python/ruff.cjs [--write] FILE...   (--write formats the files; TSKGRAPH_NODE_MODULES names the directory of the packages)
"use strict";
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

if (!process.env.TSKGRAPH_NODE_MODULES) {
	console.log("ruff: not run: TSKGRAPH_NODE_MODULES names no directory of packages; .ci/tools fills one");
	process.exit(process.env.CI ? 1 : 0);
}
const { PositionEncoding, Workspace } = require(path.join(process.env.TSKGRAPH_NODE_MODULES, "@astral-sh/ruff-wasm-nodejs"));

const toJSON = "import json, sys, tomllib; json.dump(tomllib.load(sys.stdin.buffer)['tool']['ruff'], sys.stdout)";
const project = readFileSync(path.join(__dirname, "pyproject.toml"));
const settings = JSON.parse(execFileSync(process.env.PYTHON || "/usr/bin/python3", ["-c", toJSON], { input: project }));
const perFile = settings.lint["per-file-ignores"]; // which needs a file system
delete settings.lint["per-file-ignores"];

// workspaceOf returns ruff with the settings for a file: a pattern "tests/*" holds for files of that directory.
function workspaceOf(file) {
	const lint = { ...settings.lint, ignore: [...settings.lint.ignore] };
	for (const [pattern, codes] of Object.entries(perFile)) {
		if (path.dirname(pattern) === path.relative(__dirname, path.dirname(file))) lint.ignore.push(...codes);
	}
	return new Workspace({ ...settings, lint }, PositionEncoding.Utf32);
}

const files = process.argv.slice(2).filter((word) => word !== "--write");
if (files.length === 0) throw new Error("name files");
for (const file of files) {
	const workspace = workspaceOf(file);
	const text = readFileSync(file, "utf8");
	const formatted = workspace.format(text);
	if (formatted !== text && process.argv.includes("--write")) writeFileSync(file, formatted);
	else if (formatted !== text) fault(`${file}: not formatted: node python/ruff.cjs --write ${file}`);
	for (const d of workspace.check(formatted)) fault(`${file}:${d.start_location.row}:${d.start_location.column}: ${d.code ?? "syntax"} ${d.message}`);
}

function fault(message) {
	console.log(message);
	process.exitCode = 1;
}
