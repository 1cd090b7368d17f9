"use strict";

// Draws the contract as a page: everything is text, nothing is markup.
const make = (name, text, kind) => {
  const node = document.createElement(name);
  if (text) node.textContent = text;
  if (kind) node.className = kind;
  return node;
};

const nameOf = (schema) => {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.type === "array") return `list of ${nameOf(schema.items)}`;
  if (schema.enum) return schema.enum.filter((word) => word !== null).join(" | ");
  if (schema.oneOf || schema.anyOf) return (schema.oneOf || schema.anyOf).map(nameOf).join(" or ");
  return [].concat(schema.type || "any").filter((type) => type !== "null").join(" or ");
};

const fields = (schema, all) => {
  if (!schema) return [];
  if (schema.$ref) return fields(all[nameOf(schema)], all);
  if (schema.allOf) return schema.allOf.flatMap((part) => fields(part, all));
  return Object.entries(schema.properties || {}).map(([name, field]) => ({
    name, type: nameOf(field), about: field.description || "", needed: (schema.required || []).includes(name),
  }));
};

const list = (rows) => {
  const node = make("dl");
  for (const row of rows) {
    node.append(make("dt", row.name + (row.needed ? " *" : "")), make("dd", [row.type, row.about].filter(Boolean).join(": ")));
  }
  return node;
};

const detail = (title, rows) => {
  const node = make("details");
  node.append(make("summary", title), list(rows));
  return node;
};

const operation = (path, method, told, all) => {
  const node = make("section");
  const head = make("h3");
  head.append(make("span", method.toUpperCase(), "method"), document.createTextNode(path));
  node.append(head, make("p", told.summary || told.description || "", "soft"));
  const asked = (told.parameters || []).map((one) => ({ name: one.name, type: nameOf(one.schema), about: one.description || "", needed: one.required }));
  if (asked.length) node.append(detail("Asked", asked));
  const body = told.requestBody && Object.values(told.requestBody.content)[0];
  if (body) node.append(detail(`Body: ${nameOf(body.schema)}`, fields(body.schema, all)));
  for (const [status, answer] of Object.entries(told.responses || {})) {
    const content = answer.content && Object.values(answer.content)[0];
    node.append(content ? detail(`${status}: ${nameOf(content.schema) || answer.description}`, fields(content.schema, all)) : make("p", `${status}: ${answer.description}`, "soft"));
  }
  return node;
};

const draw = (contract) => {
  document.getElementById("about").textContent = contract.info.description;
  const main = document.getElementById("operations");
  const contents = document.getElementById("contents");
  main.replaceChildren();
  const groups = new Map();
  for (const [path, methods] of Object.entries(contract.paths)) {
    for (const [method, told] of Object.entries(methods)) {
      const group = (told.tags || ["other"])[0];
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(operation(path, method, told, contract.components.schemas || {}));
    }
  }
  for (const [group, operations] of groups) {
    const title = make("h2", group);
    title.id = group;
    const link = make("a", group);
    link.href = `#${group}`;
    contents.append(link);
    main.append(title, ...operations);
  }
};

fetch("/openapi.json").then((answer) => answer.json()).then(draw).catch((problem) => {
  document.getElementById("operations").textContent = `The contract could not be read: ${problem}`;
});
