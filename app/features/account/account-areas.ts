/** Screens of the account, in the order of its navigation. `key` names their words in the namespace `account`. */
export const ACCOUNT_AREAS = [
  { key: 'profile', to: '/dashboard/account/profile' },
  { key: 'preferences', to: '/dashboard/account/preferences' },
  { key: 'security', to: '/dashboard/account/security' },
  { key: 'apiKeys', to: '/dashboard/account/api-keys' },
  { key: 'sessions', to: '/dashboard/account/sessions' },
  { key: 'data', to: '/dashboard/account/data' },
] as const;
