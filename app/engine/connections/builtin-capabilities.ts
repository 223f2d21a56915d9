import type { PeerCapability } from '#app/contracts/peer.ts';
import {
  BUILTIN_COPILOT as BUILTIN_COPILOT_SLUG,
  BUILTIN_TOOLS as BUILTIN_TOOLS_SLUG,
} from '#app/domain/workflows/templates/template-document.ts';
import { capabilitiesOfCard } from '#app/engine/a2a/a2a-capability.ts';
import { copilotCard } from '#app/engine/a2a/compliance-copilot/copilot-card.ts';
import { BUILTIN_COPILOT_ENDPOINT, BUILTIN_PATHS, BUILTIN_TOOLS_ENDPOINT } from '#app/engine/connections/peer-target.ts';
import { ANNOTATIONS } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { BUILTIN_TOOLS } from '#app/engine/mcp/builtin-tools/builtin-tools.ts';
import { capabilityOfTool } from '#app/engine/mcp/mcp-capability.ts';

export type BuiltinConnection = {
  kind: 'mcp' | 'a2a';
  endpoint: string;
  slug: string;
  name: string;
  description: string;
  protocolVersion: string;
  capabilities: readonly PeerCapability[];
};

/** The built-in peers as an inspection would show them: they are part of this process, so no call is needed. */
export function builtinConnections(): readonly BuiltinConnection[] {
  const card = copilotCard(`http://127.0.0.1${BUILTIN_PATHS[BUILTIN_COPILOT_ENDPOINT] ?? ''}`);
  const [agentInterface] = card.supportedInterfaces;
  if (agentInterface === undefined) throw new Error('the card of the built-in agent has no interface');
  return [
    {
      kind: 'mcp',
      endpoint: BUILTIN_TOOLS_ENDPOINT,
      slug: BUILTIN_TOOLS_SLUG,
      name: 'Quorate tools',
      description: 'Built-in tools for regulated work: personal data, tables, arithmetic, dates and name screening.',
      protocolVersion: '2026-07-28',
      capabilities: BUILTIN_TOOLS.map(({ name, title, description, inputSchema, outputSchema }) =>
        capabilityOfTool({ name, title, description, inputSchema, outputSchema, annotations: ANNOTATIONS }),
      ),
    },
    {
      kind: 'a2a',
      endpoint: BUILTIN_COPILOT_ENDPOINT,
      slug: BUILTIN_COPILOT_SLUG,
      name: card.name,
      description: card.description,
      protocolVersion: agentInterface.protocolVersion,
      capabilities: capabilitiesOfCard(card, agentInterface),
    },
  ];
}
