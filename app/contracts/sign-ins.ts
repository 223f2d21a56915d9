import type { WorkspaceNetwork } from '#app/contracts/network.ts';

/** Whose tokens a connection is called with: `userId` null is the workspace's own. */
export type SignInHolder = { workspaceId: string; connectionId: string; userId: string | null };

/** A peer that is to be signed in to. `challenge`: what its refusal named, where it named anything. */
export type SignInPeer = { endpoint: string; privateNetwork: WorkspaceNetwork; challenge?: SignInChallenge };
export type SignInChallenge = { metadata: string | null; scope: string | null };

/** Where a peer sends people to sign in. `host` is shown, `issuer` identifies it; `registers`: it takes us without being told of us before. */
export type SignInOffer = { issuer: string; host: string; registers: boolean };

/** A consent that is about to be asked for: `address` is the authorization server's page. `sealed` opens for this consent alone. */
export type BegunSignIn = { address: string; host: string; stateDigest: Uint8Array; sealed: Uint8Array; dueAt: Date };

/** Tokens that were consented to, sealed for the grant `id`. */
export type FinishedSignIn = {
  id: string;
  issuer: string;
  resource: string;
  scope: string;
  sealed: Uint8Array;
  expiresAt: Date | null;
};

export const SIGN_IN_FAULTS = [
  'denied',
  'issuerMismatch',
  'noMetadata',
  'metadataRefused',
  'metadataWrong',
  'notSecure',
  'registrationRefused',
  'exchangeRefused',
  'unreachable',
] as const;
export type SignInFault = (typeof SIGN_IN_FAULTS)[number];

/** Why nobody could be signed in. `message` is ours; what the other side wrote is in `cause` alone and is not shown. */
export class SignInError extends Error {
  readonly fault: SignInFault;
  constructor(fault: SignInFault, options: { cause?: unknown } = {}) {
    super(`sign-in: ${fault}`, options);
    this.name = 'SignInError';
    this.fault = fault;
  }
}

/** Signs in to peers by OAuth and keeps their tokens fresh. All but `token` are outgoing calls: never inside a transaction. */
export type SignIns = {
  /** Asks a peer where people sign in. @throws SignInError */
  discover(peer: SignInPeer): Promise<SignInOffer>;
  /** Registers us where needed and prepares a consent. `extra`: scopes beyond those that the peer names. @throws SignInError */
  begin(holder: SignInHolder, peer: SignInPeer, consentId: string): Promise<BegunSignIn>;
  /** The address that a consent was begun with. */
  addressOf(consentId: string, sealed: Uint8Array): string;
  /** Exchanges what came back for tokens. @throws SignInError */
  finish(
    consent: { id: string; sealed: Uint8Array; endpoint: string; privateNetwork: WorkspaceNetwork },
    params: URLSearchParams,
  ): Promise<FinishedSignIn>;
  /** Tells the issuer that these tokens are no longer wanted, where it takes that. Never throws for what the issuer does. */
  revoke(holder: SignInHolder, privateNetwork: WorkspaceNetwork): Promise<void>;
  /**
   * A token to call with. `rejected`: the version that the peer has just refused, so that it is renewed. A token near its end is renewed first,
   * once for all processes. @throws PeerError `peerSignInNeeded`
   */
  token(holder: SignInHolder, about: { privateNetwork: WorkspaceNetwork; host: string; rejected?: number }): Promise<SignInToken>;
};
export type SignInToken = { token: string; version: number };

/** The registration that is typed in where a server registers nobody by itself. */
export type TypedClient = { clientId: string; clientSecret: string | null };
