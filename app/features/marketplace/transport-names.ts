/** Names that the protocol gives its transports (MCP 2026-07-28, Transports). */
export const TRANSPORT_NAMES = { 'streamable-http': 'Streamable HTTP', sse: 'HTTP+SSE', stdio: 'stdio' } as const;
