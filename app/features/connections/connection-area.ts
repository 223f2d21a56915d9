/** The two places where connections stand: MCP servers under Plugins, A2A agents under Agents. One set of screens serves both. */
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
} as const;

export type ConnectionKind = keyof typeof CONNECTION_AREAS;
