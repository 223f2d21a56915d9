import type { ApiKeyScope } from '#app/contracts/people.ts';

/** A client's request for access, as the person is asked about it. What the client says of itself is unproven. */
export type AuthorizationRequest = {
  id: string;
  client: { id: string; name: string /** Where the person and the code are sent back to. */; returnHost: string };
  /** The address that the access is for, on this instance. */
  resource: string;
  /** Those asked for that exist; at least one. */
  scopes: readonly ApiKeyScope[];
};

/** The rights that the person grants, and the grant by which the client's key is found. */
export type AuthorizationGrant = { accountId: string; grantId: string; scopes: readonly ApiKeyScope[] };

/** The OAuth 2.1 authorization server of this instance, for clients that call it. */
export type AuthorizationServer = {
  issuer: string;
  /** The request under way with this id, in the browser that began it; null for any other. */
  readRequest(id: string, cookieHeader: string | null): Promise<AuthorizationRequest | null>;
  /** Lets the client have the grant, and answers where its browser goes on. Null: the request is over. */
  accept(id: string, grant: AuthorizationGrant): Promise<string | null>;
  /** Tells the client that it gets nothing, and answers where its browser goes on. Null: the request is over. */
  refuse(id: string): Promise<string | null>;
};
