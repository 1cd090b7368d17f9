// Writes the types of the public API out of docs/openapi.json: src/api/contract.ts for the page, and the contract of the TypeScript client.
// `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";

process.chdir(import.meta.dirname);
const contract = JSON.parse(readFileSync("../docs/openapi.json", "utf8"));

/** Converts schemas to TypeScript types; `free` is the type of an object whose fields the contract does not name. */
class Types {
  constructor(free) {
    this.free = free;
  }

  /** A schema as a TypeScript type. */
  typed(schema, indent = "") {
    if (!schema) return "unknown";
    if (schema.$ref) return schema.$ref.split("/").pop();
    if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
    if (schema.oneOf || schema.anyOf) return (schema.oneOf ?? schema.anyOf).map((one) => this.typed(one, indent)).join(" | ");
    if (schema.allOf) return schema.allOf.map((one) => `(${this.typed(one, indent)})`).join(" & ");
    if (Array.isArray(schema.type)) return schema.type.map((type) => this.typed({ ...schema, type }, indent)).join(" | ");
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
        return `(${this.typed(schema.items, indent)})[]`;
      case "object": {
        if (!schema.properties) return schema.additionalProperties ? `Record<string, ${this.typed(schema.additionalProperties)}>` : this.free;
        const required = new Set(schema.required ?? []);
        const fields = Object.entries(schema.properties).map(([name, inner]) => ({ name, needed: required.has(name), schema: inner }));
        return this.record(fields, indent);
      }
      default:
        return this.free;
    }
  }

  /** An object type with these fields. */
  record(fields, indent) {
    const lines = fields.map(({ name, needed, schema }) => `${indent}  ${name}${needed ? "" : "?"}: ${this.typed(schema, indent + "  ")};`);
    return `{\n${lines.join("\n")}\n${indent}}`;
  }

  /** All named schemas. */
  schemas() {
    const all = Object.entries(contract.components.schemas).map(([name, schema]) => {
      const note = schema.description ? `/** ${schema.description.replaceAll("\n", " ")} */\n` : "";
      return `${note}export type ${name} = ${this.typed(schema)};\n`;
    });
    return all.join("\n");
  }

  /** One interface with every operation: what is sent in the path, the query and the body, and what is answered. */
  operations() {
    const all = Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.operation(`${method.toUpperCase()} ${path}`, operation)),
    );
    return `/** Operations of the API by method and path. */\nexport interface Operations {\n${all.join("\n")}\n}\n`;
  }

  operation(name, { summary, parameters = [], requestBody, responses }) {
    const where = (place) => {
      const fields = parameters.filter((one) => one.in === place).map((one) => ({ name: one.name, needed: one.required, schema: one.schema }));
      return fields.length ? this.record(fields, "    ") : "Record<never, never>";
    };
    const answer = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
    const body = requestBody ? this.typed(content(requestBody), "    ") : "undefined";
    const note = summary ? `  /** ${summary} */\n` : "";
    const fields = { path: where("path"), query: where("query"), body, answer: this.typed(content(answer), "    ") };
    const lines = Object.entries(fields).map(([field, type]) => `    ${field}: ${type};`);
    return `${note}  "${name}": {\n${lines.join("\n")}\n  };`;
  }
}

/** The schema of a body or an answer, whatever its media type. */
function content(holder) {
  return Object.values(holder?.content ?? {})[0]?.schema;
}

const head = "// Made by types.mjs from docs/openapi.json.\n\n";
const page = new Types("any");
const client = new Types("Record<string, unknown>");
const files = {
  "src/api/contract.ts": head + page.schemas(),
  "../clients/typescript/src/contract.ts": head.replace("types.mjs", "web/types.mjs") + client.schemas() + "\n" + client.operations(),
};
for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`the contract changed and ${file} did not: npm run types in web/, then npm run build`);
    process.exit(1);
  }
}
