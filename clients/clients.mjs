// Runs the published npm clients, unmodified, against a real server.
//     node clients.mjs URL BINARY DATABASE
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { MemoryClient } from "mem0ai";

const [url, binary, database] = process.argv.slice(2);

const mem0 = async () => {
  const client = new MemoryClient({ apiKey: "any", host: url });
  const kept = await client.add([{ role: "user", content: "고양이 이름은 나비야" }], { userId: "jiho", infer: false });
  const results = kept.results ?? kept;
  const id = results[0].id;
  const found = await client.search("고양이 이름", { filters: { user_id: "jiho" } });
  assert.equal((found.results ?? found)[0].memory, "고양이 이름은 나비야");
  assert.equal((await client.get(id)).memory, "고양이 이름은 나비야");
  await client.update(id, { text: "고양이 나비는 두 살이야" });
  const all = await client.getAll({ filters: { user_id: "jiho" } });
  assert.equal((all.results ?? all)[0].memory, "고양이 나비는 두 살이야");
  await client.add([{ role: "user", content: "나비와 병원에 갔다" }], { userId: "jiho", agentId: "luna", runId: "vet", infer: false });
  for (const filters of [{ userId: "jiho" }, { agentId: "luna" }, { run_id: "vet" }, { OR: [{ user_id: "jiho" }, { user_id: "nobody" }] }]) {
    const told = await client.getAll({ filters });
    assert.ok((told.results ?? told).some((item) => item.memory === "나비와 병원에 갔다"), JSON.stringify(filters));
  }
  await assert.rejects(client.getAll({ filters: { user_id: "jiho", mood: "glad" } }));
  await client.delete(id);
  await client.deleteAll({ userId: "jiho" });
  assert.equal((await client.getAll({ filters: { user_id: "jiho" } })).count, 0);
  console.log("npm mem0ai: works unchanged");
};

const use = async (transport, name) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "get_context" && tool.annotations.readOnlyHint));
  await client.callTool({ name: "add_memory", arguments: { content: "민수는 바다를 좋아한다" } });
  const found = await client.callTool({ name: "search_memories", arguments: { query: "바다" } });
  assert.ok(found.content[0].text.includes("민수는 바다를 좋아한다"));
  const refused = await client.callTool({ name: "get_memory", arguments: { id: "nothing" } });
  assert.ok(refused.isError);
  await client.close();
  console.log(`${name}: works unchanged`);
};

await mem0();
await use(new StreamableHTTPClientTransport(new URL(`${url}/mcp/luna/ts-http`)), "typescript mcp over http");
await use(new StdioClientTransport({ command: binary, args: ["--db", database, "--mind", "ts-stdio/luna", "mcp"] }), "typescript mcp over stdio");
