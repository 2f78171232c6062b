// Gives pi the tools of the engine's desk, which reads the notes by their index: pi has no
// servers of its own. The line above says where the desk is.
async function ask(method: string, params: unknown): Promise<any> {
  const response = await fetch(desk.address, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: "Bearer " + desk.ticket,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error.message ?? String(answer.error));
  return answer.result;
}

export default async function (pi: any) {
  let tools = [];
  try {
    tools = (await ask("tools/list", {})).tools;
  } catch {
    return; // it works without
  }
  for (const tool of tools) {
    pi.registerTool({
      name: desk.name + "_" + tool.name,
      label: tool.title,
      description: tool.description,
      promptSnippet: tool.description,
      parameters: tool.inputSchema,
      async execute(_id: string, params: unknown) {
        const result = await ask("tools/call", { name: tool.name, arguments: params });
        if (result.isError) throw new Error(result.content[0].text);
        return { content: result.content, details: {} };
      },
    });
  }
}
