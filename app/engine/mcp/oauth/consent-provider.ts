import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { type OurClient, ourMetadata } from '#app/domain/connections/our-client.ts';

/** Our registrations by issuer. `typed`: one that a person typed in, not yet used with any. */
export type Registrations = { of: ReadonlyMap<string, StoredOAuthClientInformation>; typed: StoredOAuthClientInformation | null };

type Given = {
  client: OurClient;
  discovery: OAuthDiscoveryState;
  registrations: Registrations;
  state: string;
  verifier?: string;
};

/**
 * One consent as the SDK sees it: it holds what this consent needs and nothing else. Sending a person away only notes where to; whoever made it
 * stores that.
 */
export class ConsentProvider implements OAuthClientProvider {
  readonly #given: Given;
  #discovery: OAuthDiscoveryState;
  #verifier: string | undefined;
  address: URL | null = null;
  /** The registration used, and whether it is new. */
  registered: { issuer: string; information: StoredOAuthClientInformation; isNew: boolean } | null = null;
  tokensSaved: StoredOAuthTokens | null = null;
  resource: string | null = null;
  readonly clientMetadataUrl?: string;

  constructor(given: Given) {
    this.#given = given;
    this.#discovery = given.discovery;
    this.#verifier = given.verifier;
    if (given.client.metadataUrl !== null) this.clientMetadataUrl = given.client.metadataUrl;
  }

  get redirectUrl(): string {
    return this.#given.client.redirectUrl;
  }

  /** A server that knows public clients alone would refuse to register another; otherwise the server's own default. */
  get clientMetadata(): OAuthClientMetadata {
    const methods = this.#discovery.authorizationServerMetadata?.token_endpoint_auth_methods_supported ?? [];
    const method = ['client_secret_basic', 'client_secret_post', 'none'].find((known) => methods.includes(known));
    return { ...ourMetadata(this.#given.client), ...(method === undefined ? {} : { token_endpoint_auth_method: method }) };
  }

  state(): string {
    return this.#given.state;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { of, typed } = this.#given.registrations;
    if (context === undefined) return this.registered?.information ?? typed ?? undefined;
    if (this.registered?.issuer === context.issuer) return this.registered.information;
    const known = of.get(context.issuer);
    if (known !== undefined) this.registered = { issuer: context.issuer, information: known, isNew: false };
    return known ?? typed ?? undefined;
  }

  saveClientInformation(information: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    this.registered = { issuer: context?.issuer ?? information.issuer ?? '', information, isNew: true };
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.tokensSaved ?? undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.tokensSaved = tokens;
  }

  /** Nothing is kept beyond this consent. */
  invalidateCredentials(): void {
    this.tokensSaved = null;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error('this consent has no verifier');
    return this.#verifier;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#discovery;
  }
}
