import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** Between leaving and coming back; only ever kept sealed. */
export type Pending = {
  address: string;
  state: string;
  verifier: string;
  discovery: OAuthDiscoveryState;
  issuer: string;
  information: StoredOAuthClientInformation;
};

/** Tokens with all that renewing them needs; only ever kept sealed. */
export type TokenSet = {
  tokens: StoredOAuthTokens;
  information: StoredOAuthClientInformation;
  discovery: OAuthDiscoveryState;
  issuer: string;
  resource: string | null;
};
