import { PeerError } from '#app/engine/connections/peer.ts';
import { McpPeers } from '#app/engine/mcp/mcp-client.ts';

// The program that the conformance suite starts for a scenario and points at a server of its own: our client lists the tools there and calls
// each of them once, as the step of a run would.
const { MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;

type Input = Parameters<McpPeers['call']>[0]['input'];
const asked = (JSON.parse(context) as { toolCalls?: { name: string; arguments: Input }[] }).toolCalls ?? [];
const target = { url: new URL(process.argv[2] ?? ''), credential: null, builtin: false, privateNetwork: [] };
const signal = AbortSignal.timeout(25_000);

const peers = new McpPeers({ fetch, version: '0.1.0' });
const { capabilities } = await peers.inspect(target);
for (const capability of capabilities) {
  const given = asked.find(({ name }) => name === capability.name)?.arguments;
  // Two numbers for the tool that adds them, and for the one that wants it back the schema that came.
  const input = given ?? { a: 5, b: 3, schema: capabilities[0]?.inputSchema ?? null };
  try {
    await peers.call({ target, capability, input, idempotencyKey: capability.name, timeoutMs: 20_000, signal });
  } catch (error) {
    // A refusal is an answer, too: the suite judges what went over the wire.
    if (!(error instanceof PeerError)) throw error;
  }
}
await peers.close();
