/** Screens of the account, in the order of its navigation. `key` names their words in the namespace `account`. */
export const ACCOUNT_AREAS = [
  { key: 'profile', to: '/dashboard/account/profile' },
  { key: 'preferences', to: '/dashboard/account/preferences' },
  { key: 'apiKeys', to: '/dashboard/account/api-keys' },
  { key: 'sessions', to: '/dashboard/account/sessions' },
] as const;
