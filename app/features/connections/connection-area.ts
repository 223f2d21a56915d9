import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
/** The places where connections stand: MCP servers under Plugins, A2A agents under Agents, models in the LLM Hub, services under Integrations. One set of screens serves all. */
export const CONNECTION_AREAS = {
  mcp: {
    kind: 'mcp',
    base: '/dashboard/plugins',
    words: {
      title: 'mcp.title',
      description: 'mcp.description',
      table: 'mcp.table',
      connect: 'mcp.connect',
      connectTitle: 'mcp.connectTitle',
      connectDescription: 'mcp.connectDescription',
      addressHint: 'mcp.addressHint',
      emptyDescription: 'mcp.emptyDescription',
      addBuiltin: 'mcp.addBuiltin',
      capabilities: 'mcp.capabilities',
      capabilitiesDescription: 'mcp.capabilitiesDescription',
      noCapabilities: 'mcp.noCapabilities',
      count: 'mcp.count',
    },
  },
  a2a: {
    kind: 'a2a',
    base: '/dashboard/agents',
    words: {
      title: 'a2a.title',
      description: 'a2a.description',
      table: 'a2a.table',
      connect: 'a2a.connect',
      connectTitle: 'a2a.connectTitle',
      connectDescription: 'a2a.connectDescription',
      addressHint: 'a2a.addressHint',
      emptyDescription: 'a2a.emptyDescription',
      addBuiltin: 'a2a.addBuiltin',
      capabilities: 'a2a.capabilities',
      capabilitiesDescription: 'a2a.capabilitiesDescription',
      noCapabilities: 'a2a.noCapabilities',
      count: 'a2a.count',
    },
  },
  model: {
    kind: 'model',
    base: '/dashboard/llm-hub',
    words: {
      title: 'model.title',
      description: 'model.description',
      table: 'model.table',
      connect: 'model.connect',
      connectTitle: 'model.connectTitle',
      connectDescription: 'model.connectDescription',
      addressHint: 'model.addressHint',
      emptyDescription: 'model.emptyDescription',
      capabilities: 'model.capabilities',
      capabilitiesDescription: 'model.capabilitiesDescription',
      noCapabilities: 'model.noCapabilities',
      count: 'model.count',
      service: 'model.service',
      tokenHint: 'model.tokenHint',
    },
  },
  app: {
    kind: 'app',
    base: '/dashboard/plugins/integrations',
    words: {
      title: 'app.title',
      description: 'app.description',
      table: 'app.table',
      connect: 'app.connect',
      connectTitle: 'app.connectTitle',
      connectDescription: 'app.connectDescription',
      addressHint: 'app.addressHint',
      emptyDescription: 'app.emptyDescription',
      capabilities: 'app.capabilities',
      capabilitiesDescription: 'app.capabilitiesDescription',
      noCapabilities: 'app.noCapabilities',
      count: 'app.count',
      service: 'app.service',
      tokenHint: 'app.tokenHint',
    },
  },
} as const satisfies { [Kind in ConnectionKind]: { kind: Kind; base: string; words: Readonly<Record<string, string>> } };

/** Peers that the product brings itself. */
export type BuiltinKind = 'mcp' | 'a2a';
/** Connections to services whose interface one names beside the address. */
export type ServiceKind = 'model' | 'app';

export const isServiceKind = (kind: ConnectionKind): kind is ServiceKind => kind === 'model' || kind === 'app';
