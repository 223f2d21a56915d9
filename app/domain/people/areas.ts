/** The areas of the sidebar. */
export type AreaId =
  | 'dashboard'
  | 'reasoning'
  | 'agents'
  | 'workflows'
  | 'plugins'
  | 'analytics'
  | 'llmHub'
  | 'marketplace'
  | 'devConsole'
  | 'audit'
  | 'admin'
  | 'policies'
  | 'appearance'
  | 'account'
  | 'help';
