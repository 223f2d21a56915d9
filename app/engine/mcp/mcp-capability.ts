import type { Tool } from '@modelcontextprotocol/client';
import type { Json } from '#app/contracts/json.ts';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { fingerprintOf, shownText } from '#app/engine/connections/fingerprint.ts';
import { storableJson } from '#app/engine/connections/peer-json.ts';

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 2_000;

/** A tool as a capability. The fingerprint covers the raw words; people see them without invisible characters. */
export function capabilityOfTool(tool: Tool): PeerCapability {
  const raw: { [key: string]: unknown } = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
  };
  const definition = storableJson(raw) as { [key: string]: Json };
  return {
    kind: 'tool',
    name: tool.name,
    title: shownText(tool.title ?? tool.annotations?.title ?? tool.name, MAX_TITLE),
    description: shownText(tool.description ?? '', MAX_DESCRIPTION),
    inputSchema: definition.inputSchema ?? null,
    outputSchema: definition.outputSchema ?? null,
    definition,
    fingerprint: fingerprintOf(definition),
  };
}
