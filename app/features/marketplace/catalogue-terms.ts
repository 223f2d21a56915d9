export const CATEGORIES = [
  'ai',
  'browser',
  'cloud',
  'communication',
  'crm',
  'data',
  'database',
  'design',
  'developer-tools',
  'documentation',
  'files',
  'finance',
  'home',
  'knowledge',
  'maps',
  'observability',
  'payments',
  'productivity',
  'project-management',
  'reasoning',
  'search',
  'security',
  'support',
  'testing',
  'travel',
  'utilities',
  'web',
] as const;
export const TRANSPORTS = ['streamable-http', 'sse', 'stdio'] as const;

/** How a server identifies its callers. `unsaid`: its registry does not tell. */
export const CREDENTIALS = ['none', 'optional', 'unsaid', 'needed', 'oauth', 'local'] as const;
/** Servers that can be connected now come first. */
export const REACHES = ['now', 'key', 'signIn', 'local'] as const;

export type Category = (typeof CATEGORIES)[number];
export type Transport = (typeof TRANSPORTS)[number];
export type Credential = (typeof CREDENTIALS)[number];
export type Reach = (typeof REACHES)[number];
