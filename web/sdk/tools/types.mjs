// Makes src/messages.ts of the room's JSON Schema; with --check it only says whether that is up to date.
import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const schemaPath = new URL("../../../events/messages.schema.json", import.meta.url);
const typesPath = new URL("../src/messages.ts", import.meta.url);
const banner = "// Made of events/messages.schema.json by `npm run types`. Not to be changed by hand.\n";

/** Only definitions are named: a title of a field would become a type of its own. */
function untitled(node, isNames = false) {
  if (Array.isArray(node)) return node.map((one) => untitled(one));
  if (node === null || typeof node !== "object") return node;
  if (!isNames && node.prefixItems) {
    // The generator knows tuples by their older name.
    const { prefixItems, ...rest } = node;
    return untitled({ ...rest, items: prefixItems });
  }
  // Lists are lists, however long they may be.
  const lengths = !isNames && !Array.isArray(node.items) ? ["minItems", "maxItems"] : [];
  const entries = Object.entries(node)
    .filter(([name]) => !lengths.includes(name))
    .filter(([name]) => isNames || name !== "title");
  return Object.fromEntries(
    entries.map(([name, value]) => [name, untitled(value, !isNames && (name === "properties" || name === "$defs"))]),
  );
}

export async function types(schema) {
  const named = { ...untitled({ $defs: schema.$defs }), title: "Bundle", type: "object", additionalProperties: false };
  const text = await compile(named, "Bundle", {
    additionalProperties: false,
    bannerComment: banner,
    unreachableDefinitions: true,
    style: { printWidth: 120 },
  });
  // Of the generator's own words, those that say where in the schema a type stands.
  return text
    .replace(
      / \*\n \* This interface was referenced by `Bundle`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    )
    .replace(
      /\/\*\*\n \* This interface was referenced by `Bundle`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g,
      "",
    )
    .replace(/export interface Bundle \{\}\n/, "");
}

const made = await types(JSON.parse(await readFile(process.env.SCHEMA ?? schemaPath, "utf8")));
if (process.argv.includes("--check")) {
  if (made !== (await readFile(typesPath, "utf8"))) {
    console.error("web/sdk/src/messages.ts is stale: npm run types -w sdk, in web/");
    process.exit(1);
  }
} else {
  await writeFile(typesPath, made);
}
