import { SignInError } from '#app/contracts/sign-ins.ts';
import { ourClient } from '#app/domain/connections/our-client.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { McpPeers } from '#app/engine/mcp/mcp-client.ts';
import { authFetch } from '#app/engine/mcp/oauth/auth-fetch.ts';
import { beginConsent, finishConsent } from '#app/engine/mcp/oauth/consent.ts';
import type { Registrations } from '#app/engine/mcp/oauth/consent-provider.ts';
import type { TokenSet } from '#app/engine/mcp/oauth/sealed-parts.ts';

// The program that the conformance suite starts for a scenario of OAuth: our two phases, with the suite's own page in place of a person, and the
// calls as the steps of a run make them. A step waits where it lacks a sign-in; two sign-ins in a row are as many as a person is asked for here.
const { MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const given = JSON.parse(context) as { client_id?: string; client_secret?: string };
const endpoint = process.argv[2] ?? '';
/** As the scenario of metadata documents expects it; the others have us register. */
const client = {
  ...ourClient('http://localhost:3000'),
  metadataUrl: 'https://conformance-test.local/client-metadata.json',
};
const fetchFn = authFetch((input, init) => fetch(input, { ...init, redirect: 'manual' }), 'instance');
const typed =
  given.client_id === undefined
    ? null
    : { client_id: given.client_id, ...(given.client_secret === undefined ? {} : { client_secret: given.client_secret }) };
const registrations: { of: Map<string, NonNullable<Registrations['typed']>>; typed: Registrations['typed'] } = { of: new Map(), typed };
const MOST_SIGN_INS = 3;

let set: TokenSet | null = null;
let signIns = 0;

async function signIn(refused: PeerError): Promise<void> {
  signIns += 1;
  const { challenge } = refused.failure;
  const peer = { endpoint, privateNetwork: 'instance' as const, ...(challenge === undefined ? {} : { challenge }) };
  const granted = set?.tokens.scope ?? '';
  const { pending, registered } = await beginConsent(peer, { client, registrations, granted, fetchFn });
  registrations.of.set(registered.issuer, registered.information);
  const answer = await fetch(pending.address, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '', pending.address);
  if (back.searchParams.get('state') !== pending.state) throw new Error('the state is not ours');
  set = await finishConsent(endpoint, { pending, params: back.searchParams, client, fetchFn });
}

const peers = new McpPeers({ fetch, version: '0.1.0' });
const target = () => ({ url: new URL(endpoint), credential: set?.tokens.access_token ?? null, builtin: false, privateNetwork: [] });
async function signedIn<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof PeerError) || error.failure.key !== 'peerUnauthorized' || signIns >= MOST_SIGN_INS) throw error;
      await signIn(error);
    }
  }
}

try {
  const { capabilities } = await signedIn(() => peers.inspect(target()));
  for (const capability of capabilities) {
    const signal = AbortSignal.timeout(25_000);
    await signedIn(() =>
      peers.call({ target: target(), capability, input: {}, idempotencyKey: capability.name, timeoutMs: 20_000, signal }),
    );
  }
} catch (error) {
  // A refusal is what many scenarios want to see: the suite judges what went over the wire.
  if (!(error instanceof PeerError) && !(error instanceof SignInError)) throw error;
  process.exitCode = 1;
}
await peers.close();
