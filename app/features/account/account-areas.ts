import { href } from 'react-router';

/** Screens of the account, in the order of its navigation. `key` names their words in the namespace `account`. */
export const ACCOUNT_AREAS = [
  { key: 'profile', to: href('/dashboard/account/profile') },
  { key: 'preferences', to: href('/dashboard/account/preferences') },
  { key: 'security', to: href('/dashboard/account/security') },
  { key: 'apiKeys', to: href('/dashboard/account/api-keys') },
  { key: 'sessions', to: href('/dashboard/account/sessions') },
  { key: 'data', to: href('/dashboard/account/data') },
] as const;
