/** The ways to talk to a peer. */
export const CONNECTION_KINDS = ['mcp', 'a2a', 'model', 'app'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];
