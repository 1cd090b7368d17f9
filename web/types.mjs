// Writes src/api/contract.ts, the types of the public API, out of docs/openapi.json. `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";

process.chdir(import.meta.dirname);
const contract = JSON.parse(readFileSync("../docs/openapi.json", "utf8"));

/** A schema as a TypeScript type. */
function typed(schema, indent = "") {
  if (!schema) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.oneOf || schema.anyOf) return (schema.oneOf ?? schema.anyOf).map((one) => typed(one, indent)).join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => `(${typed(one, indent)})`).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typed({ ...schema, type }, indent)).join(" | ");
  switch (schema.type) {
    case "null":
      return "null";
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `(${typed(schema.items, indent)})[]`;
    case "object": {
      if (!schema.properties) return schema.additionalProperties ? `Record<string, ${typed(schema.additionalProperties)}>` : "any";
      const required = new Set(schema.required ?? []);
      const lines = Object.entries(schema.properties).map(([name, inner]) => {
        return `${indent}  ${name}${required.has(name) ? "" : "?"}: ${typed(inner, indent + "  ")};`;
      });
      return `{\n${lines.join("\n")}\n${indent}}`;
    }
    default:
      return "any";
  }
}

const schemas = Object.entries(contract.components.schemas).map(([name, schema]) => {
  const note = schema.description ? `/** ${schema.description.replaceAll("\n", " ")} */\n` : "";
  return `${note}export type ${name} = ${typed(schema)};\n`;
});
const text = `// Made by types.mjs from docs/openapi.json.\n\n${schemas.join("\n")}`;
const file = "src/api/contract.ts";
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== text) {
    console.error("the contract changed: npm run types, then npm run build");
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
}
