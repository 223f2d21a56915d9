/** The areas of the sidebar (product-spec section 2). */
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
