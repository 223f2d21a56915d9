import { AGENT_CARD_PATH, AgentCard, type AgentInterface } from '@a2a-js/sdk';
import { DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory, type Transport } from '@a2a-js/sdk/client';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { capabilitiesOfCard } from '#app/engine/a2a/a2a-capability.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import type { PeerTarget } from '#app/engine/connections/peer-target.ts';

/** The card of an agent, and its interface that is used. */
export type AgentConnection = { card: AgentCard; agentInterface: AgentInterface; capabilities: PeerCapability[] };

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;

/** Reads an agent's card: at the address itself where it names a JSON file, else below it, else at the root of its host. */
export async function readAgent(target: PeerTarget, fetchPeer: typeof fetch): Promise<AgentConnection> {
  const resolver = new DefaultAgentCardResolver({ fetchImpl: fetchPeer, legacyCompat: { enabled: true } });
  const addresses = cardAddresses(target.url);
  for (const [index, address] of addresses.entries()) {
    try {
      const card = completed(await resolver.resolve(address, ''));
      const agentInterface = interfaceOf(card, target);
      return { card, agentInterface, capabilities: capabilitiesOfCard(card, agentInterface) };
    } catch (error) {
      if (error instanceof PeerError || index === addresses.length - 1 || !/\b404\b/.test(error instanceof Error ? error.message : ''))
        throw error;
    }
  }
  throw new PeerError({ key: 'peerProtocolMismatch', values: { protocol: 'A2A' }, retryable: false });
}

/** A transport for one interface; made a call, since it costs nothing and holds nothing. */
export function transportOf({ card, agentInterface }: AgentConnection, fetchPeer: typeof fetch): Promise<Transport> {
  const options = { fetchImpl: fetchPeer, legacyCompat: { enabled: true } };
  const factory = agentInterface.protocolBinding === 'JSONRPC' ? new JsonRpcTransportFactory(options) : new RestTransportFactory(options);
  return factory.create(agentInterface.url, { ...card, supportedInterfaces: [agentInterface] });
}

/** The resolver hands a card over as it came; what the card leaves out must not be missing here. How to sign in is not read from it. */
function completed(card: AgentCard): AgentCard {
  return AgentCard.fromJSON({ ...card, securitySchemes: {}, securityRequirements: [], signatures: [] });
}

function cardAddresses(url: URL): string[] {
  if (url.pathname.endsWith('.json')) return [url.href];
  const below = new URL(url);
  below.pathname = `${url.pathname.replace(/\/+$/, '')}/${AGENT_CARD_PATH}`;
  const root = new URL(`/${AGENT_CARD_PATH}`, url);
  return below.href === root.href ? [root.href] : [below.href, root.href];
}

/**
 * The newest revision first, JSON-RPC before REST. Only interfaces on the card's own origin count: a card must not send
 * our calls, and the credential with them, somewhere else.
 */
function interfaceOf(card: AgentCard, target: PeerTarget): AgentInterface {
  const spoken = card.supportedInterfaces.filter(
    (candidate) => BINDINGS.some((binding) => binding === candidate.protocolBinding) && /^(?:1\.|0\.3)/.test(candidate.protocolVersion),
  );
  if (spoken.length === 0) throw new PeerError({ key: 'peerProtocolMismatch', values: { protocol: 'A2A' }, retryable: false });
  const here = spoken.filter((candidate) => URL.canParse(candidate.url) && new URL(candidate.url).origin === target.url.origin);
  const rank = (candidate: AgentInterface) =>
    (candidate.protocolVersion.startsWith('1.') ? 0 : 2) + (candidate.protocolBinding === 'JSONRPC' ? 0 : 1);
  const best = here.toSorted((a, b) => rank(a) - rank(b))[0];
  if (best === undefined) throw new PeerError({ key: 'peerCardElsewhere', values: {}, retryable: false });
  return best;
}
