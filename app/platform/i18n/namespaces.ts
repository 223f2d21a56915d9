/** One file of texts an area, `locales/<language>/<namespace>.json`. */
export const NAMESPACES = [
  'common',
  'auth',
  'public',
  'landing',
  'mocking',
  'shell',
  'health',
  'halt',
  'dashboard',
  'workflows',
  'runs',
  'reasoning',
  'figures',
  'analytics',
  'monitoring',
  'approvals',
  'connections',
  'marketplace',
  'devConsole',
  'policies',
  'audit',
  'members',
  'account',
  'appearance',
  'design',
  'explanations',
  'errors',
  'validation',
  'mail',
  'notices',
  'notifications',
  'search',
] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** What every page may show, beside what its routes name in `handle.i18n`. */
export const SHARED_NAMESPACES = ['common', 'notices', 'errors'] as const satisfies readonly Namespace[];
